import type { RecordRef } from '#domain/events/record-ref.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** The data that expressions and templates can access: plain copies, bounded in depth, number and length. */
export type EventData = Readonly<Record<string, unknown>>;

const maxDepth = 8;
const maxItems = 200;
const maxText = 20_000;
/** The maximum number of values copied from one event. */
const maxValues = 5_000;

/**
 * Returns the data of an event: the common members, the record under `record` and under its kind, and its previous
 * state.
 */
export function eventData(event: ServiceEvent): EventData {
  const copy = copied(event, 0, { left: maxValues });
  const all = isObject(copy) ? copy : {};
  const { service, name, record } = event;
  const fields = fieldsOf(all, record);
  const before = own(all, 'previous') ?? own(all, 'updatedFrom');
  const { current: _, fields: __, updatedFrom: ___, name: ____, ...rest } = all;
  return {
    ...rest,
    ...(/^[a-z]\w*$/i.test(record.kind) ? { [record.kind]: fields } : {}),
    service,
    event: name,
    kind: record.kind,
    id: record.id,
    occurredAt: new Date(event.occurredAt).toISOString(),
    record: fields,
    // Services send only the changed fields as previous; the others were the same before.
    previous: isObject(before) ? { ...fields, ...before } : {},
  };
}

/** Merges the record's fields as sent with the parsed ones, whose neutral names take precedence. */
function fieldsOf(all: EventData, { kind, id }: RecordRef): EventData {
  const sent = own(all, 'current') ?? own(all, 'fields');
  const read = own(all, kind);
  return { ...(isObject(sent) ? sent : {}), ...(isObject(read) ? read : {}), id };
}

/** Returns a plain copy of a value, without whatever exceeds the bounds. */
export function plainCopy(value: unknown): unknown {
  return copied(value, 0, { left: maxValues });
}

function copied(value: unknown, depth: number, budget: { left: number }): unknown {
  budget.left -= 1;
  if (budget.left < 0 || depth > maxDepth) return null;
  if (typeof value === 'string') return value.slice(0, maxText);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => copied(item, depth + 1, budget));
  if (!isObject(value)) return null;
  const entries = Object.entries(value).filter(([key, member]) => key !== '__proto__' && member !== undefined);
  return Object.fromEntries(
    entries.slice(0, maxItems).map(([key, member]) => [key, copied(member, depth + 1, budget)]),
  );
}
