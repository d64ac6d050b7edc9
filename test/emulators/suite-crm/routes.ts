import type { BulkRoutes } from '#test/emulators/suite-crm/bulk-routes.ts';
import type { Channels } from '#test/emulators/suite-crm/channels.ts';
import type { RecordRoutes } from '#test/emulators/suite-crm/record-routes.ts';
import type { RelatedRoutes } from '#test/emulators/suite-crm/related-routes.ts';
import type { Asked, Reply } from '#test/emulators/suite-crm/reply.ts';
import type { SettingsRoutes } from '#test/emulators/suite-crm/settings-routes.ts';

/** What answers a request. */
export type Handler = (asked: Asked) => Reply | Promise<Reply>;

/** A route: its method, its path below the API domain, and what answers. Static paths come first. */
export type EmulatedRoute = Readonly<{ method: string; path: string; handle: Handler }>;

/** The parts that answer. */
export type RouteGroups = Readonly<{
  records: RecordRoutes;
  related: RelatedRoutes;
  settings: SettingsRoutes;
  bulk: BulkRoutes;
  channels: Channels;
}>;

/** All routes in the words of a dialect; what the other dialect calls something else is not there. */
export function routesOf(
  { records, related, settings, bulk, channels }: RouteGroups,
  isZoho: boolean,
): readonly EmulatedRoute[] {
  const own = (theirs: string, neutral: string) => (isZoho ? theirs : neutral);
  const v8 = (method: string, path: string, handle: Handler): EmulatedRoute => ({
    method,
    path: `/crm/v8${path}`,
    handle,
  });
  const read = own('/crm/bulk/v8/read', '/crm/v8/bulk/read');
  const attachments = own('Attachments', 'attachments');
  return [
    { method: 'POST', path: read, handle: (asked) => bulk.create(asked) },
    { method: 'GET', path: `${read}/{job_id}`, handle: (asked) => bulk.get(asked) },
    { method: 'GET', path: `${read}/{job_id}/result`, handle: (asked) => bulk.result(asked) },
    v8('GET', '/users', (asked) => settings.users(asked)),
    v8('GET', own('/org', '/organization'), settings.organization),
    v8('GET', own('/settings/modules', '/modules'), settings.modules),
    v8('GET', own('/settings/fields', '/modules/{module}/fields'), (asked) => settings.fields(asked)),
    v8('GET', '/settings/roles', settings.roles),
    v8('GET', '/settings/profiles', settings.profiles),
    v8('GET', '/settings/tags', (asked) => settings.tags(asked)),
    v8('POST', '/settings/tags', (asked) => settings.addTags(asked)),
    v8('PUT', '/settings/tags/{id}', (asked) => settings.changeTag(asked)),
    v8('DELETE', '/settings/tags/{id}', (asked) => settings.removeTag(asked)),
    v8('POST', '/actions/watch', (asked) => channels.create(asked)),
    v8('PUT', '/actions/watch', (asked) => channels.create(asked)),
    v8('GET', '/actions/watch', (asked) => channels.list(asked)),
    v8('DELETE', '/actions/watch', (asked) => channels.remove(asked)),
    v8('POST', '/coql', (asked) => records.coql(asked)),
    v8('POST', own('/Notes', '/notes'), (asked) => related.addNotes(asked)),
    v8('POST', own('/Leads/{id}/actions/convert', '/Leads/{id}/convert'), (asked) => related.convert(asked)),
    v8('POST', own('/{module}/{id}/actions/send_mail', '/{module}/{id}/send_mail'), (asked) => related.sendMail(asked)),
    v8('GET', own('/{module}/{id}/Emails', '/{module}/{id}/emails'), (asked) => related.mails(asked)),
    v8('GET', own('/{module}/{id}/Notes', '/{module}/{id}/notes'), (asked) => related.notes(asked)),
    v8('POST', `/{module}/{id}/${attachments}`, (asked) => related.attach(asked)),
    v8('GET', `/{module}/{id}/${attachments}`, (asked) => related.attachments(asked)),
    v8('GET', `/{module}/{id}/${attachments}/{attachment_id}`, (asked) => related.download(asked)),
    v8('POST', '/{module}/{id}/actions/add_tags', (asked) => settings.addToRecord(asked)),
    v8('POST', '/{module}/{id}/actions/remove_tags', (asked) => settings.removeFromRecord(asked)),
    v8('POST', '/{module}/upsert', (asked) => records.upsert(asked)),
    v8('GET', '/{module}/search', (asked) => records.search(asked)),
    v8('GET', '/{module}/deleted', (asked) => records.deleted(asked)),
    v8('GET', '/{module}', (asked) => records.list(asked)),
    v8('POST', '/{module}', (asked) => records.create(asked)),
    v8('GET', '/{module}/{id}', (asked) => records.get(asked)),
    v8('PUT', '/{module}/{id}', (asked) => records.update(asked)),
    v8('DELETE', '/{module}/{id}', (asked) => records.remove(asked)),
    v8('GET', '/{module}/{id}/{related_list}', (asked) => related.list(asked)),
    v8('PUT', '/{module}/{id}/{related_list}/{rid}', (asked) => related.link(asked)),
    v8('DELETE', '/{module}/{id}/{related_list}/{rid}', (asked) => related.unlink(asked)),
  ];
}

/** The parts of a path by the names in a template; null when it does not fit. */
export function partsOf(template: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    const value = decodeURIComponent(given[at] ?? '');
    if (segment.startsWith('{')) parts[segment.slice(1, -1)] = value;
    else if (segment !== value) return null;
  }
  return parts;
}
