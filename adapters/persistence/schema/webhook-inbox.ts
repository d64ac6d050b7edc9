import { inboxStates } from '#application/ports/webhook-inbox.ts';
import { oneOf, table, text, whole } from '#infrastructure/database/columns.ts';

/** The events of deliveries. The body is encrypted. */
export const InboxRow = table(
  'webhook_inbox',
  {
    seq: whole().primary().autoincrement(),
    service: text(),
    deliveryId: text(),
    orderKey: text(),
    event: text(),
    body: text().nullable(),
    calls: text().nullable(),
    state: oneOf(inboxStates),
    receivedAt: whole(),
    availableAt: whole(),
    attempts: whole(),
    failingSince: whole().nullable(),
    leaseOwner: text().nullable(),
    leaseUntil: whole().nullable(),
    error: text().nullable(),
    outcome: text().nullable(),
    finishedAt: whole().nullable(),
    traceparent: text().nullable(),
  },
  ['service', 'deliveryId'],
);
