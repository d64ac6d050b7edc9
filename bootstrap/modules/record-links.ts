import { notePage } from '#adapters/http/activity/note-routes.ts';
import type { ConfiguredService } from '#adapters/services/service.ts';
import type { StoredActivity } from '#application/ports/activity-log.ts';
import type { Connections } from '#application/ports/connections.ts';

/**
 * Returns a function that finds the page of a call's record: the address from the call's answer, the provider's page in
 * the connected account, or the page of a note in the viewer's own vault; null when there is none. External addresses
 * must be http or https, since they become links.
 */
export function recordLinks(services: readonly ConfiguredService[], connections: Pick<Connections, 'find'>) {
  const byKey = new Map(services.map((each) => [each.service.key, each]));
  return async (entry: StoredActivity, viewerId: number): Promise<string | null> => {
    const { userId, service, operation, recordId, recordUrl, outcome } = entry;
    if (recordId === null || outcome !== 'ok') return null;
    if (service === 'vault') return userId === viewerId && operation !== 'notes.delete' ? notePage(recordId) : null;
    if (recordUrl !== null) return asLink(recordUrl);
    const vendors = byKey.get(service)?.all ?? [];
    if (vendors.every(({ recordAddress }) => recordAddress === undefined)) return null;
    const connection = await connections.find(userId, service);
    if (connection === null) return null;
    const { extra } = connection.record;
    const vendor = vendors.find(({ settings }) => settings.dialect === extra['vendor']) ?? vendors[0];
    return asLink(vendor?.recordAddress?.({ operation, id: recordId, extra }) ?? null);
  };
}

function asLink(address: string | null): string | null {
  return address !== null && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null;
}
