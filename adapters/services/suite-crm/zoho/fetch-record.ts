import { z } from 'zod';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';

/** An event whose notification had no fields. */
const bare = z.looseObject({ module: z.string(), name: z.string(), fields: z.null() });
const answer = z.union([
  z.object({ data: z.array(z.record(z.string(), z.unknown())).min(1) }).transform(({ data }) => data[0] ?? {}),
  z.record(z.string(), z.unknown()),
]);

/** Failures that no retry resolves: the record cannot be read here, and reactions may not need it. */
const unreadable: readonly Failure['reason'][] = ['not_connected', 'forbidden', 'invalid_input'];

/** Reads the record of an event, since Zoho's notifications carry only ids; not that of a deleted one. */
export const fetchRecord: NonNullable<WebhookSource['fetch']> = async (event, call) => {
  const read = bare.safeParse(event).data;
  if (read === undefined || read.name.endsWith('.delete')) return ok(event);
  const record = await call('records.get', { module: read.module, id: event.record.id });
  if (!record.ok) return unreadable.includes(record.reason) ? ok(event) : err(record);
  const fields = answer.safeParse(record.data).data;
  return ok(fields === undefined ? event : { ...event, fields });
};
