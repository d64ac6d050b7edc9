import { z } from 'zod';
import { parsedTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { DeliveryPart } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { signingEventNames } from '#domain/events/signing-event.ts';
import { isPlainText } from '#domain/shared/plain-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const text = z.string().nullish().catch(null);
const id = z
  .union([z.string().min(1).max(200).refine(isPlainText), z.number().int().transform(String)])
  .nullish()
  .catch(null);

const documentSchema = z.looseObject({ id, name: text, status: text, date_created: text, date_modified: text });
const eventSchema = z.looseObject({ event: text, date_created: text, data: documentSchema.nullish().catch(null) });

/** An event and its document: in `data`, or, without `data`, in the event's own fields. */
function opened(part: unknown) {
  const event = eventSchema.safeParse(part).data;
  const document = event?.data ?? documentSchema.safeParse(part).data ?? null;
  return { event, document };
}

/** The events of a body, one or an array; an empty array counts as one unknown event. */
function eventsIn(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) return [body];
  const events: readonly unknown[] = body;
  return events.length === 0 ? [{}] : events;
}

/** When each event was created, by its own `date_created`, else its document's: Unix ms, null when it does not say. */
export function statedTimes(body: unknown): readonly (number | null)[] {
  return eventsIn(body).map((part) => {
    const { event, document } = opened(part);
    return parsedTime(event?.date_created) ?? parsedTime(document?.date_created);
  });
}

/** The events of a verified body; events of one document share an order key. */
export function partsOf(body: unknown): readonly DeliveryPart[] {
  return eventsIn(body).map((part) => {
    const { event, document } = opened(part);
    const recordId = document?.id ?? null;
    const orderKey = recordId === null ? null : orderKeyOf({ service: 'signing', kind: 'document', id: recordId });
    return { name: (event?.event ?? 'unknown').slice(0, 100), orderKey, body: part };
  });
}

/** Converts one event of a verified body to a neutral one. */
export function readSigningEvent(
  part: unknown,
  receivedAt: number,
): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>> {
  const { event, document } = opened(part);
  const said = event?.event ?? '';
  const name = signingEventNames.find((known) => known === said);
  if (name === undefined) {
    return err({ reason: 'unknown', detail: `no event of the signing service is called ${JSON.stringify(said)}` });
  }
  const recordId = document?.id ?? null;
  if (document === null || recordId === null) return err({ reason: 'unreadable', detail: `${name} has no data.id` });
  const { name: title, status } = document;
  return ok({
    service: 'signing',
    name,
    record: { service: 'signing', kind: 'document', id: recordId },
    occurredAt: parsedTime(document.date_modified) ?? parsedTime(event?.date_created) ?? receivedAt,
    document: { id: recordId, name: title ?? null, status: status ?? null },
    fields: document,
  });
}
