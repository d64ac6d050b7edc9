import type { ConfiguredService } from '#adapters/services/service.ts';
import type { StoredActivity } from '#application/ports/activity-log.ts';
import type { Connections } from '#application/ports/connections.ts';

/**
 * Finds where the provider shows the record of a call, in the account that its user has connected; null where there is no
 * such place. Only http and https addresses are given, since they become links.
 */
export function recordLinks(services: readonly ConfiguredService[], connections: Pick<Connections, 'find'>) {
  const byKey = new Map(services.map((each) => [each.service.key, each]));
  return async ({ userId, service, operation, recordId, outcome }: StoredActivity): Promise<string | null> => {
    const addressOf = byKey.get(service)?.recordAddress;
    if (addressOf === undefined || recordId === null || outcome !== 'ok') return null;
    const connection = await connections.find(userId, service);
    if (connection === null) return null;
    const address = addressOf({ operation, id: recordId, extra: connection.record.extra });
    return address !== null && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null;
  };
}
