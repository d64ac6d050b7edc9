import { notePage } from '#adapters/http/activity/note-routes.ts';
import type { ConfiguredService } from '#adapters/services/definitions/service.ts';
import type { RecordOfCall } from '#adapters/services/definitions/vendor.ts';
import type { StoredActivity } from '#application/ports/activity-log.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { RecordPages } from '#application/ports/service-questions.ts';

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
    const known = byKey.get(service);
    if (known === undefined || known.all.every(({ recordAddress }) => recordAddress === undefined)) return null;
    const connection = await connections.find(userId, service);
    return connection === null ? null : pageOf(known, { operation, id: recordId, extra: connection.record.extra });
  };
}

/** Finds the providers' pages of the records that searches answer. */
export function recordPages(
  services: readonly ConfiguredService[],
  connections: Pick<Connections, 'find'>,
): RecordPages {
  const byKey = new Map(services.map((each) => [each.service.key, each]));
  return {
    of: async (userId, asked) => {
      const found = await Promise.all(asked.map((service) => connections.find(userId, service)));
      const extras = new Map(found.map((connection, index) => [asked[index], connection?.record.extra]));
      return (service, { at }) => {
        const [known, extra] = [byKey.get(service), extras.get(service)];
        return known === undefined || extra === undefined || at === undefined ? null : pageOf(known, { ...at, extra });
      };
    },
  };
}

/** The page of a record at the vendor of its connection. */
function pageOf({ all }: ConfiguredService, record: RecordOfCall): string | null {
  const vendor = all.find(({ settings }) => settings.dialect === record.extra['vendor']) ?? all[0];
  return asLink(vendor?.recordAddress?.(record) ?? null);
}

function asLink(address: string | null): string | null {
  return address !== null && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null;
}
