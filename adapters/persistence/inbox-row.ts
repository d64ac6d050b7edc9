import { z } from 'zod';
import { type InboxEntry, inboxStates } from '#application/ports/webhook-inbox.ts';

const whole = z.coerce.number().int();
const wholeOrNull = z.union([z.null(), whole]);
const textOrNull = z.string().nullable();

/** The columns of `webhook_inbox` that make up an entry: all except the body. */
export const inboxColumns =
  'seq, service, delivery_id, order_key, event, calls, state, received_at, available_at, attempts, failing_since, ' +
  'lease_owner, lease_until, error, outcome, finished_at, traceparent';

/** A row of those columns as drivers return it: PostgreSQL returns integers as strings. */
const rowSchema = z.object({
  seq: whole,
  service: z.string(),
  delivery_id: z.string(),
  order_key: z.string(),
  event: z.string(),
  calls: z.string().nullable(),
  state: z.enum(inboxStates),
  received_at: whole,
  available_at: whole,
  attempts: whole,
  failing_since: wholeOrNull,
  lease_owner: textOrNull,
  lease_until: wholeOrNull,
  error: textOrNull,
  outcome: textOrNull,
  finished_at: wholeOrNull,
  traceparent: textOrNull,
});

/** Converts the row to an entry. */
export function toInboxEntry(row: unknown): InboxEntry {
  const { delivery_id, order_key, received_at, available_at, failing_since, lease_owner, ...same } =
    rowSchema.parse(row);
  const { lease_until, finished_at, traceparent, ...rest } = same;
  return {
    ...rest,
    deliveryId: delivery_id,
    orderKey: order_key,
    receivedAt: received_at,
    availableAt: available_at,
    failingSince: failing_since,
    leaseOwner: lease_owner,
    leaseUntil: lease_until,
    finishedAt: finished_at,
    ...(traceparent === null ? {} : { traceparent }),
  };
}
