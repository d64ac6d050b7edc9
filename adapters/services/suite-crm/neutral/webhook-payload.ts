import { z } from 'zod';
import { realTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { DeliveryPart } from '#application/ports/webhook-source.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { SuiteCrmEvent, suiteCrmActions } from '#domain/events/suite-crm-event.ts';
import { own } from '#domain/shared/own.ts';
import { isPlainText } from '#domain/shared/plain-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const text = z.string().nullish().catch(null);
const id = z.union([z.string().min(1).max(64).refine(isPlainText), z.number().int().transform(String)]);
const record = z.looseObject({ record_id: id, values: z.record(z.string(), z.unknown()) });

/**
 * A notification. The neutral dialect has `token` and the events (HOOK-006); the other members are the vendor's, plus
 * `event`.
 */
const payloadSchema = z.looseObject({
  event: text,
  module: text,
  operation: text,
  ids: z.array(id).nullish().catch(null),
  id: id.nullish().catch(null),
  server_time: z.number().nullish().catch(null),
  affected_values: z.array(record).nullish().catch(null),
});

const tokenSchema = z.looseObject({ token: z.string().min(1).max(200) });

/** The neutral actions for the terms of both dialects. */
const actionWords: Readonly<Record<string, (typeof suiteCrmActions)[number]>> = {
  create: 'create',
  insert: 'create',
  edit: 'edit',
  update: 'edit',
  delete: 'delete',
};

/** The token that a body echoes; null when there is none. */
export function tokenIn(body: unknown): string | null {
  return tokenSchema.safeParse(body).data?.token ?? null;
}

function opened(body: unknown) {
  const payload = payloadSchema.safeParse(body).data;
  const [eventModule, eventAction] = (payload?.event ?? '').split('.');
  const module = payload?.module ?? eventModule ?? '';
  const word = payload?.operation ?? eventAction ?? '';
  const action = own(actionWords, word.toLowerCase()) ?? null;
  const single = payload?.id === null || payload?.id === undefined ? [] : [payload.id];
  return { payload, module, action, said: `${module}.${word}`, ids: payload?.ids ?? single };
}

/**
 * Splits a notification into one part per record. The token has been verified and is not stored. A notification without
 * records becomes one unreadable part.
 */
export function partsOf(body: unknown): readonly DeliveryPart[] {
  const { payload, module, action, said, ids } = opened(body);
  const { token: _, ids: __, affected_values: values, affected_fields: ___, ...rest } = payload ?? {};
  const name = (action === null ? said : `${module}.${action}`).slice(0, 100);
  if (ids.length === 0) return [{ name, orderKey: null, body: rest }];
  const valuesOf = Map.groupBy(values ?? [], ({ record_id }) => record_id);
  return ids.map((one) => ({
    name,
    orderKey: module === '' ? null : orderKeyOf({ service: 'suite_crm', kind: module, id: one }),
    body: { ...rest, ids: [one], affected_values: valuesOf.get(one) ?? [] },
  }));
}

/** Converts one part of a verified notification to a neutral event. */
export function readSuiteCrmEvent(
  part: unknown,
  receivedAt: number,
): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>> {
  const { payload, module, action, said, ids } = opened(part);
  if (action === null || !/^[A-Za-z]\w{0,99}$/.test(module)) {
    return err({ reason: 'unknown', detail: `no event of the suite CRM is called ${JSON.stringify(said)}` });
  }
  const [recordId] = ids;
  if (recordId === undefined) return err({ reason: 'unreadable', detail: `${said} has no record id` });
  const event: SuiteCrmEvent = {
    service: 'suite_crm',
    name: `${module}.${action}`,
    record: { service: 'suite_crm', kind: module, id: recordId },
    occurredAt: realTime(payload?.server_time) ?? receivedAt,
    module,
    fields: payload?.affected_values?.find(({ record_id }) => record_id === recordId)?.values ?? null,
  };
  return ok(event);
}
