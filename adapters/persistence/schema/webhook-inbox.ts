import { inboxStates } from '#application/ports/webhook-inbox.ts';
import { column, table } from '#infrastructure/database/columns.ts';

/** The events of deliveries. The body is encrypted. */
export const InboxRow = table(
  'webhook_inbox',
  {
    seq: column.whole().primary().autoincrement(),
    service: column.text(),
    deliveryId: column.text(),
    orderKey: column.text(),
    event: column.text(),
    body: column.text().nullable(),
    calls: column.text().nullable(),
    state: column.oneOf(inboxStates),
    receivedAt: column.whole(),
    availableAt: column.whole(),
    attempts: column.whole(),
    failingSince: column.whole().nullable(),
    leaseOwner: column.text().nullable(),
    leaseUntil: column.whole().nullable(),
    error: column.text().nullable(),
    outcome: column.text().nullable(),
    finishedAt: column.whole().nullable(),
    traceparent: column.text().nullable(),
    isFaulty: column.bit(),
  },
  ['service', 'deliveryId'],
);
