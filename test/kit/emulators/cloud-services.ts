import { member } from '#test/kit/checks.ts';
import { type Answering, Emulator, type Received, type Reply } from '#test/kit/emulators/emulator.ts';
import { answerTo } from '#test/kit/emulators/graphql.ts';
import { EmulatedOAuth } from '#test/kit/emulators/oauth.ts';

/** An emulated cloud service and the OAuth server that belongs to it. */
export type CloudService = Readonly<{ emulator: Emulator; oauth: EmulatedOAuth; key: string }>;

const refused: Reply = {
  status: 401,
  body: { success: false, error: 'unauthorized', code: 'INVALID_TOKEN', message: 'refused' },
};

function guarded(oauth: EmulatedOAuth, answering: Answering): Answering {
  return (request) => oauth.answer(request) ?? (oauth.admits(request) ? answering(request) : refused);
}

/** A file that a download is answered with. */
export const fileBytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0x0a]);

const file: Reply = {
  headers: { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' },
  body: fileBytes,
};

/** The last segment of a path, where it is an id: one that has a digit in it. */
const hasId = ({ path }: Received): boolean => /\d/.test(path.split('/').at(-1) ?? '');

export function salesCrm(): CloudService {
  const key = 'kit-sales-crm-personal-token';
  const oauth = new EmulatedOAuth('sales-crm', key, () => ({ scope: 'deals:full,contacts:full', api_domain: null }));
  const emulator = new Emulator('sales_crm', guarded(oauth, salesCrmAnswer));
  return { emulator, oauth, key };
}

function salesCrmAnswer(request: Received): Reply {
  const { method, path } = request;
  if (path.endsWith('/download')) return file;
  const record = { id: 41, name: 'Ada', title: 'A deal', company_domain: 'kit' };
  if (method !== 'GET' || hasId(request) || path.endsWith('/me')) return { body: { success: true, data: record } };
  if (path.endsWith('/itemSearch') || path.endsWith('/search')) return { body: { success: true, data: { items: [] } } };
  if (path.endsWith('/results')) return { body: { success: true, data: { progress: 1 } } };
  if (path.endsWith('/goals')) return { body: { success: true, data: { goals: [] } } };
  return { body: { success: true, data: [record], additional_data: { pagination: { next_cursor: null } } } };
}

export function signing(): CloudService {
  const key = 'kit-signing-sandbox-key';
  const oauth = new EmulatedOAuth('signing', key, () => ({ scope: 'read+write' }));
  oauth.expiresInS = 31_535_999;
  const emulator = new Emulator('signing', guarded(oauth, signingAnswer));
  return { emulator, oauth, key };
}

function signingAnswer(request: Received): Reply {
  const { method, path } = request;
  if (/\/download(-protected)?$/.test(path)) return file;
  if (method === 'DELETE') return { status: 204 };
  const isList = method === 'GET' && !hasId(request) && !/\/(details|session)$/.test(path);
  const record = { id: 'doc1', uuid: 'doc1', name: 'Agreement', status: 'document.draft', email: 'a@b.example' };
  return isList ? { body: { results: [] } } : { status: method === 'POST' ? 201 : 200, body: record };
}

/** `apiDomain` is where its calls are to go: as its token answer says. */
export function suiteCrm(apiDomain: () => string): CloudService {
  const key = 'kit-suite-crm-has-no-key';
  const extras = () => ({ api_domain: apiDomain(), scope: 'ZohoCRM.modules.ALL' });
  const oauth = new EmulatedOAuth('suite-crm', key, extras);
  const channels = new Map<string, unknown>();
  const emulator = new Emulator(
    'suite_crm',
    guarded(oauth, (request) =>
      request.path.endsWith('/actions/watch') ? channelAnswer(request, channels) : suiteCrmAnswer(request),
    ),
  );
  return { emulator, oauth, key };
}

/** The notification channels, which are listed as they were registered last. */
function channelAnswer({ method, json, query }: Received, channels: Map<string, unknown>): Reply {
  const given = member(json, 'watch');
  for (const channel of Array.isArray(given) ? given : []) {
    const id = String(member(channel, 'channel_id'));
    channels.set(id, { ...Object(channels.get(id)), ...Object(channel) });
  }
  if (method === 'DELETE') for (const id of (query.get('channel_ids') ?? '').split(',')) channels.delete(id);
  if (method === 'GET') return { body: { watch: [...channels.values()], info: { more_records: false } } };
  const watch = [{ code: 'SUCCESS', status: 'success', message: 'done', details: { events: [] } }];
  return { status: method === 'POST' ? 201 : 200, body: { watch } };
}

function suiteCrmAnswer(request: Received): Reply {
  const { method, path } = request;
  const last = path.split('/').at(-1) ?? '';
  if (path.endsWith('/result')) return { headers: { 'content-type': 'text/csv' }, body: 'Id,Name\n1,Ada\n' };
  if (method === 'GET') {
    const record = { id: '91', Last_Name: 'Lovelace', state: 'COMPLETED', api_name: 'Leads', name: 'Ada' };
    const name = ['users', 'modules', 'fields', 'tags', 'roles', 'profiles', 'watch'].includes(last) ? last : 'data';
    return { body: { [name]: [record], info: { more_records: false, page: 1, per_page: 200, count: 1 } } };
  }
  const done = {
    code: 'SUCCESS',
    status: 'success',
    message: 'done',
    details: { id: '91', Contacts: '92', Accounts: '93' },
  };
  return { status: method === 'POST' ? 201 : 200, body: { data: [done], tags: [done], watch: [done], info: {} } };
}

export function tracker(): CloudService {
  const key = 'kit-tracker-personal-key';
  const oauth = new EmulatedOAuth('tracker', key, () => ({ scope: 'read,write' }));
  oauth.expiresInS = 86_399;
  const emulator = new Emulator('tracker', guarded(oauth, trackerAnswer));
  return { emulator, oauth, key };
}

function trackerAnswer({ json }: Received): Reply {
  const document = member(json, 'query');
  return { body: { data: answerTo(typeof document === 'string' ? document : '') } };
}
