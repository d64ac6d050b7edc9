import type { Fields } from '#domain/events/event-facts.ts';
import type { NamedRef, NameOf } from '#domain/events/record-name.ts';
import type { EventOf, ServiceEvent } from '#domain/events/service-event.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';

/** A deal's fields after and before the change. */
type Change = Readonly<{ current: Fields | null; previous: Fields | null }>;

/** The fields whose values a history line shows, in this order. */
const describedFields = [
  'title',
  'status',
  'value',
  'currency',
  'stage_id',
  'pipeline_id',
  'expected_close_date',
] as const;

/** The described fields that reference a record by its id. */
const references: Readonly<Record<string, NamedRef['kind']>> = { stage_id: 'stage', pipeline_id: 'pipeline' };

/** Whether a field is excluded from the description because it changes with every event. */
function isVolatile(key: string): boolean {
  if (key === 'id' || key === 'label' || key.endsWith('time') || key.endsWith('_count')) return true;
  return key.includes('_id_') || /^[0-9a-f]{40}/.test(key);
}

const maxOthers = 4;

/** Lists the records whose names a line about the event would show and were not sent. */
export function namesWanted(event: ServiceEvent): readonly NamedRef[] {
  if (!isDealUpdate(event)) return [];
  const { current, previous } = event;
  return changedKeys(event)
    .flatMap((key) => [refIn(key, own(previous ?? {}, key)), refIn(key, own(current ?? {}, key))])
    .filter((ref) => ref !== null)
    .flatMap(({ ref, name }) => (name === null ? [atVendorOf(event, ref)] : []));
}

/** Returns the reference to a record at the vendor that sent the event. */
export function atVendorOf({ record: { vendor } }: ServiceEvent, ref: NamedRef): NamedRef {
  return vendor === undefined ? ref : { ...ref, vendor };
}

function isDealUpdate(event: ServiceEvent): event is EventOf<'sales_crm', 'updated.deal'> {
  return event.service === 'sales_crm' && event.name === 'updated.deal';
}

/**
 * Describes a change of a deal: 'status open → won, stage Qualified → Won', followed by the names of other changed
 * fields; 'updated' when no change was sent. `identity` is the same text with ids instead of looked-up names, so that
 * it does not depend on which names are known.
 */
export function dealHistory(change: Change, nameOf: NameOf): Readonly<{ text: string; identity: string }> {
  return { text: describedChanges(change, nameOf), identity: describedChanges(change, () => null) };
}

function describedChanges(change: Change, nameOf: NameOf): string {
  const { current, previous } = change;
  const changed = changedKeys(change);
  const changes = describedFields
    .filter((key) => changed.includes(key))
    .map(
      (key) =>
        `${wordsOf(key)} ${shown(key, own(previous ?? {}, key), nameOf)} → ${shown(key, own(current ?? {}, key), nameOf)}`,
    );
  const others = changed
    .filter((key) => !describedFields.some((name) => name === key) && !isVolatile(key))
    .map((key) => inlineText(wordsOf(key).slice(0, 40)));
  const more = others.length > maxOthers ? [`${others.length - maxOthers} more`] : [];
  const named = [...others.slice(0, maxOthers), ...more];
  return [...changes, ...(named.length === 0 ? [] : [`${listed(named)} changed`])].join(', ') || 'updated';
}

function changedKeys({ current, previous }: Change): readonly string[] {
  return Object.keys(previous ?? {}).filter(
    (key) => current !== null && key in current && !isSame(own(current, key), own(previous ?? {}, key)),
  );
}

/** Turns a field's name into words: 'stage_id' into 'stage'. */
function wordsOf(key: string): string {
  return key.replaceAll('_', ' ').replace(/ ids?$/, '');
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Reads the record that a field references, as a bare id or as an object with id and name; null for any other field.
 */
function refIn(key: string, value: unknown): Readonly<{ ref: NamedRef; name: string | null }> | null {
  const kind = own(references, key);
  if (kind === undefined) return null;
  const { id, name } = typeof value === 'object' && value !== null ? membersOf(value) : { id: value, name: null };
  if (typeof id !== 'number' && (typeof id !== 'string' || id === '')) return null;
  return { ref: { service: 'sales_crm', kind, id: String(id) }, name: typeof name === 'string' ? name : null };
}

function membersOf(value: object): Readonly<{ id: unknown; name: unknown }> {
  const members: Fields = { ...value };
  return { id: members['id'] ?? members['value'], name: members['name'] };
}

function shown(key: string, value: unknown, nameOf: NameOf): string {
  const found = refIn(key, value);
  if (found !== null) return inlineText((found.name ?? nameOf(found.ref) ?? found.ref.id).slice(0, 120));
  if (typeof value === 'string' && value !== '') return inlineText(value.slice(0, 120));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '(none)';
}
