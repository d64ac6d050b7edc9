import { previousOf } from '#adapters/services/sales-crm/details/stage-change.ts';
import { dealIn, organizationIn, personIn } from '#adapters/services/sales-crm/details/webhook-records.ts';
import type { FetchCall } from '#application/ports/webhook-source.ts';
import type { Fields } from '#domain/events/event-facts.ts';
import { type SalesCrmEvent, type SalesCrmEventName, salesCrmEventNames } from '#domain/events/sales-crm-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** What all events of the sales CRM have, besides their record's fields. */
type Facts = Pick<SalesCrmEvent, 'service' | 'record' | 'occurredAt'>;

/** The event's name in the kind's words; null when there is none of that name. */
export function eventNameIn(words: string): SalesCrmEventName | null {
  return salesCrmEventNames.find((name) => name === words) ?? null;
}

/** Builds an event from the fields of its record, in the kind's words; null while they are not known. */
export function eventOf(
  name: SalesCrmEventName,
  facts: Facts,
  current: Fields | null,
  previous: Fields | null = null,
): SalesCrmEvent {
  const shared = { ...facts, current, previous };
  const fields = { ...current, id: facts.record.id };
  if (isOf(name, 'deal')) return { ...shared, name, deal: dealIn(fields) };
  if (isOf(name, 'person')) return { ...shared, name, person: personIn(fields) };
  if (isOf(name, 'organization')) return { ...shared, name, organization: organizationIn(fields) };
  return { ...shared, name };
}

function isOf<const Object extends string>(
  name: SalesCrmEventName,
  object: Object,
): name is Extract<SalesCrmEventName, `${string}.${Object}`> {
  return name.endsWith(`.${object}`);
}

/** The operations that get a record by its id, by the kind of record. */
const gets: Readonly<Record<string, string>> = {
  deal: 'deals.get',
  person: 'persons.get',
  organization: 'organizations.get',
  activity: 'activities.get',
};

/**
 * Reads the record of an event whose delivery has its id only. One that is no longer there was deleted since: the event
 * becomes its deletion. Records that no operation gets by id remain without fields.
 */
export async function fetchedEvent(event: ServiceEvent, call: FetchCall): Promise<Result<ServiceEvent, Failure>> {
  const { record, occurredAt } = event;
  const name = eventNameIn(event.name);
  const get = own(gets, record.kind);
  if (name === null || get === undefined || name.startsWith('deleted.')) return ok(event);
  const facts: Facts = { service: 'sales_crm', record: { ...record, service: 'sales_crm' }, occurredAt };
  const outcome = await call(get, { id: Number(record.id) });
  if (outcome.ok) {
    const { stage_change: change, ...current } = isObject(outcome.data) ? outcome.data : {};
    return ok(eventOf(name, facts, current, previousOf(change, occurredAt)));
  }
  const isGone = outcome.reason === 'not_found' || outcome.reason === 'gone';
  const deleted = eventNameIn(`deleted.${record.kind}`);
  return isGone && deleted !== null ? ok(eventOf(deleted, facts, null)) : err(outcome);
}
