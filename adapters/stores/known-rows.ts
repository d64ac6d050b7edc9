import type { KnownServices } from '#adapters/stores/known-services.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import type { ReceiptLog } from '#application/ports/receipt-log.ts';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';

/** Hides the registrations of services that this server does not have. */
export function knownRegistrations(inner: WebhookRegistrations, services: KnownServices): WebhookRegistrations {
  return {
    list: async () =>
      (await inner.list()).filter((registration) => services.has(registration.service, 'webhookRegistrations')),
    keep: (registration) => inner.keep(registration),
    remove: (registration) => inner.remove(registration),
  };
}

/** Hides the receipts of services that this server does not have. */
export function knownReceipts(inner: ReceiptLog, services: KnownServices): ReceiptLog {
  return {
    noteUse: (use) => inner.noteUse(use),
    uses: async () => (await inner.uses()).filter(({ service }) => services.has(service, 'receiptLog')),
    noteStale: (stale) => inner.noteStale(stale),
    stale: async (limit) => (await inner.stale(limit)).filter(({ service }) => services.has(service, 'receiptLog')),
  };
}

/** Hides the records of services that this server does not have. */
export function knownPartyLinks(inner: PartyLinks, services: KnownServices): PartyLinks {
  return {
    find: (record) => inner.find(record),
    findByRemote: async (kind, remoteId) => {
      const record = await inner.findByRemote(kind, remoteId);
      return record === null || !services.has(record.service, 'partyLinks') ? null : record;
    },
    keep: (...link) => inner.keep(...link),
  };
}

/** Hides pending connects to services that this server does not have. */
export function knownConnects(inner: PendingConnects, services: KnownServices): PendingConnects {
  return {
    keep: (state, connect) => inner.keep(state, connect),
    take: async (state) => {
      const connect = await inner.take(state);
      return connect === null || !services.has(connect.service, 'pendingConnects') ? null : connect;
    },
  };
}
