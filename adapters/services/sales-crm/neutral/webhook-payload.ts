import { z } from 'zod';
import { dealIn, organizationIn, personIn } from '#adapters/services/sales-crm/details/webhook-records.ts';
import { parsedTime, realTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { DeliveryPart } from '#application/ports/webhook-source.ts';
import type { Fields } from '#domain/events/event-facts.ts';
import { orderKeyOf } from '#domain/events/record-ref.ts';
import {
  type DealEvent,
  type OrganizationEvent,
  type PersonEvent,
  type SalesCrmEventName,
  salesCrmActions,
  salesCrmEventNames,
  salesCrmObjects,
} from '#domain/events/sales-crm-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { own } from '#domain/shared/own.ts';
import { isPlainText } from '#domain/shared/plain-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const text = z.string().nullish().catch(null);
const id = z
  .union([z.string().min(1).max(200).refine(isPlainText), z.number().int().transform(String)])
  .nullish()
  .catch(null);
const number = z.number().nullish().catch(null);
const fields = z.record(z.string(), z.unknown()).nullish().catch(null);

const metaSchema = z.looseObject({
  action: text,
  entity: text,
  object: text,
  id,
  entity_id: id,
  timestamp: z.union([z.string(), z.number()]).nullish().catch(null),
  timestamp_micro: number,
  webhook_id: id,
  merged_to_id: id,
});

/** Both formats of the provider's payloads; the neutral dialect accepts both. */
const payloadSchema = z.looseObject({
  event: text,
  meta: metaSchema.nullish().catch(null),
  data: fields,
  current: fields,
  previous: fields,
});

/** The neutral actions for the vendor's terms. */
const actionWords: Readonly<Record<string, (typeof salesCrmActions)[number]>> = {
  create: 'added',
  change: 'updated',
  delete: 'deleted',
  ...Object.fromEntries(salesCrmActions.map((action) => [action, action])),
};

/** Extracts from a payload what it is about, in neutral terms; null when it does not say. */
function facts(body: unknown) {
  const payload = payloadSchema.safeParse(body).data;
  const meta = payload?.meta ?? null;
  const [eventAction, eventObject] = (payload?.event ?? '').split('.');
  const object = salesCrmObjects.find((name) => name === (meta?.entity ?? meta?.object ?? eventObject)) ?? null;
  const word = meta?.action ?? eventAction ?? '';
  const isMerge = word === 'delete' && typeof meta?.merged_to_id === 'string';
  const action = isMerge ? 'merged' : own(actionWords, word);
  const current: Fields | null = payload?.data ?? payload?.current ?? null;
  const previous: Fields | null = payload?.previous ?? null;
  const isSecondForm = typeof meta?.entity === 'string';
  const recordId =
    (isSecondForm ? meta.entity_id : meta?.id) ?? id.parse(current?.['id']) ?? id.parse(previous?.['id']) ?? null;
  const said = payload?.event ?? `${meta?.action ?? 'unknown'}.${meta?.entity ?? meta?.object ?? 'unknown'}`;
  const name = action === undefined || object === null ? null : nameOf(`${action}.${object}`);
  return { meta, object, name, said, recordId, current, previous, isSecondForm };
}

function nameOf(words: string): SalesCrmEventName | null {
  return salesCrmEventNames.find((name) => name === words) ?? null;
}

/**
 * The single event of a verified body, and the id that identifies repeated deliveries; null to use a digest instead.
 */
export function partOf(body: unknown): Readonly<{ part: DeliveryPart; deliveryId: string | null }> {
  const { meta, object, name, said, recordId, isSecondForm } = facts(body);
  const orderKey =
    object === null || recordId === null ? null : orderKeyOf({ service: 'sales_crm', kind: object, id: recordId });
  const part = { name: (name ?? said).slice(0, 100), orderKey, body };
  if (isSecondForm) return { part, deliveryId: meta?.id ?? null };
  // The first format contains the attempt number, and its meta.id is the record's: only the timestamp tells events
  // apart.
  const at = meta?.timestamp_micro;
  const isKnown = typeof at === 'number' && recordId !== null;
  return { part, deliveryId: isKnown ? `v1:${said}:${recordId}:${at}:${meta?.webhook_id ?? ''}` : null };
}

/** Converts a verified body to a neutral event. */
export function readSalesCrmEvent(
  body: unknown,
  receivedAt: number,
): Result<ServiceEvent, Readonly<{ reason: 'unknown' | 'unreadable'; detail: string }>> {
  const { meta, object, name, said, recordId, current, previous } = facts(body);
  if (name === null || object === null) {
    return err({ reason: 'unknown', detail: `no event of the sales CRM is called ${JSON.stringify(said)}` });
  }
  if (recordId === null) return err({ reason: 'unreadable', detail: `${name} has no id of its ${object}` });
  const shared = {
    service: 'sales_crm',
    record: { service: 'sales_crm', kind: object, id: recordId },
    occurredAt: timeIn(meta) ?? parsedTime(current?.['update_time']) ?? receivedAt,
    current,
    previous,
  } as const;
  const latest = { ...(current ?? previous), id: recordId };
  if (isDealEvent(name)) return ok({ ...shared, name, deal: dealIn(latest) });
  if (isPersonEvent(name)) return ok({ ...shared, name, person: personIn(latest) });
  if (isOrganizationEvent(name)) return ok({ ...shared, name, organization: organizationIn(latest) });
  return ok({ ...shared, name });
}

function isDealEvent(name: SalesCrmEventName): name is DealEvent['name'] {
  return name.endsWith('.deal');
}

function isPersonEvent(name: SalesCrmEventName): name is PersonEvent['name'] {
  return name.endsWith('.person');
}

function isOrganizationEvent(name: SalesCrmEventName): name is OrganizationEvent['name'] {
  return name.endsWith('.organization');
}

/**
 * When the event happened according to the payload, Unix ms: ISO 8601 in the second format; microseconds or seconds in
 * the first.
 */
function timeIn(meta: z.output<typeof metaSchema> | null): number | null {
  if (typeof meta?.timestamp_micro === 'number') return realTime(meta.timestamp_micro / 1000);
  return typeof meta?.timestamp === 'number' ? realTime(meta.timestamp * 1000) : parsedTime(meta?.timestamp);
}
