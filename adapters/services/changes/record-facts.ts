import { z } from 'zod';
import { type OnMissing, type ReverseCall, shownInput } from '#adapters/services/changes/change-rule.ts';
import { flatMembers, labelOf, type Members, namedMember } from '#adapters/services/changes/changed-values.ts';
import type { CallRow } from '#adapters/services/requests/operation-table.ts';
import type { FieldChange, RecordChange } from '#domain/changes/planned-change.ts';
import { isObject, withoutMembers } from '#domain/json/json-data.ts';
import { echoed } from '#domain/operations/input-error.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** What the rules of changes need to know about one kind of record. Only `one` and `title` differ for most. */
export type RecordFacts = Readonly<{
  /** What it is called in sentences: 'deal'. */
  one: string;
  /** The inputs that identify a record; `id` by default. */
  keys?: readonly string[];
  /** The one call that reads a record; `custom` are the custom fields that matter. Null where none can. */
  read: ((key: Members, custom: readonly string[]) => ReverseCall) | null;
  /** Whether a service may lack that call: then an answer that there is no such record says nothing. */
  mayLackRead?: boolean;
  /** Finds the record in what was read; the whole answer by default. */
  found?(data: unknown, key: Members): Members | null;
  title(record: Members): string | null;
  /** The value of an input in a record, in the form of the input; by default the member of that name. */
  value?(record: Members, name: string): unknown;
  /** The same in a form for people. */
  shown?(record: Members, name: string): unknown;
  /** What an input changes, by name; by default all but the keys. */
  given?(input: Members): Members;
  /** The input of a call that changes this; by default both together. */
  sent?(key: Members, members: Members): Members;
  /** The record in the answer of a change; the whole answer by default. */
  answered?(data: unknown): Members | null;
  /** When a record was changed the last time, by the answer of a change or by the record; for services whose answers show no values. */
  changedAt?(data: unknown): string | null;
  /** Further values that change with these. */
  also?(names: readonly string[], before: Members): readonly string[];
  /** The inputs that every change needs, besides those that change. */
  always?: readonly string[];
  /** The inputs that are sets: of these only what was added and removed is taken back. */
  sets?: readonly string[];
  /** What is changed by inputs that depend on the record, in terms of others: null where it could not be read. */
  resolved?(changes: Members, before: Members | null): Members;
  /** The inputs whose values no record shows. */
  unseen?: readonly string[];
  /** The members that change by themselves, besides the usual times. */
  own?: readonly string[];
  /** The members that only a change by somebody changes; by default all but those that change by themselves. */
  lasting?(record: Members): Members;
  label?(name: string): string;
}>;

const usualKeys = ['id'];

/** The members that change with any change: they say nothing about what was changed. */
const usualTimes = [
  'update_time',
  'updatedAt',
  'updated_at',
  'editedAt',
  'Modified_Time',
  'Modified_By',
  'date_modified',
];

const asMembers = (data: unknown): Members | null => (isObject(data) ? data : null);

/** The part of an input that identifies the record. */
export function keyOf({ keys = usualKeys }: RecordFacts, input: Members): Members {
  return Object.fromEntries(keys.map((name) => [name, own(input, name)]));
}

/** What an input changes, each custom field by itself. */
export function changesIn(facts: RecordFacts, input: Members): Members {
  const { keys = usualKeys, given } = facts;
  const changed = given?.(input) ?? Object.fromEntries(Object.entries(input).filter(([name]) => !keys.includes(name)));
  return flatMembers(changed);
}

/** The value of an input in a record; null for none. */
export function valueIn({ value }: RecordFacts, record: Members, name: string): unknown {
  return (value === undefined ? namedMember(record, name) : value(record, name)) ?? null;
}

/** The record that a change answered. */
export function answeredBy({ answered = asMembers }: RecordFacts, data: unknown): Members | null {
  return answered(data);
}

/** A record without what changes by itself: equal to another state of it unless somebody changed it. */
export function lastingPart({ own: ownMembers = [], lasting }: RecordFacts, record: Members): Members {
  if (lasting !== undefined) return lasting(record);
  const left = withoutMembers(record, [...usualTimes, ...ownMembers]);
  return isObject(left) ? left : {};
}

/** Reads the record of a key; null where no call can. Fails with `not_found` when there is none. */
export async function readRecord(
  facts: RecordFacts,
  key: Members,
  { read, custom = [] }: Readonly<{ read: CallRow; custom?: readonly string[] }>,
): Promise<Result<Members | null, Failure>> {
  if (facts.read === null) return ok(null);
  const { name, input } = facts.read(key, custom);
  const outcome = await read(name, input);
  // A vendor may have no such read, which is known before anything is sent.
  if (!outcome.ok) return outcome.reason === 'rejected' && outcome.sent === 'no' ? ok(null) : err(outcome);
  const record = (facts.found ?? asMembers)(outcome.data, key);
  return record === null
    ? err(failed('not_found', `There is no such ${facts.one} (any more).`, { sent: 'yes' }))
    : ok(record);
}

/**
 * Reads the record that is about to be changed; null when it cannot be read: the change itself says why it fails.
 * `onMissing` is called when there is none.
 */
export async function readBefore(
  facts: RecordFacts,
  key: Members,
  { onMissing, ...how }: Readonly<{ read: CallRow; custom?: readonly string[]; onMissing: OnMissing }>,
): Promise<Members | null> {
  const record = await readRecord(facts, key, how);
  if (record.ok) return record.value;
  if (record.failure.reason === 'not_found' && facts.mayLackRead !== true) onMissing({ ...record.failure, sent: 'no' });
  return null;
}

const textId = z
  .union([z.string(), z.number().transform(String)])
  .nullable()
  .catch(null);

/** What is changed in a record; `key` is null for one that is made. */
export function recordChange(key: Members | null, title: string | null, fields: readonly FieldChange[]): RecordChange {
  const ids = key === null ? [] : Object.values(key);
  const shown = fields.map((field) => ('after' in field ? { ...field, after: shownInput(field.after) } : field));
  return { kind: 'record', id: textId.parse(ids.at(-1) ?? null), title, fields: shown };
}

/** The field of an input, with its label. */
export function fieldLabel({ label = labelOf }: RecordFacts, name: string): string {
  return label(name);
}

/** The fields of a record that is made. */
export function addedFields(facts: RecordFacts, given: Members): readonly FieldChange[] {
  return Object.entries(given).map(([name, after]) => ({ field: fieldLabel(facts, name), after }));
}

/** What a record is called in a sentence: 'the deal “Acme”'. */
export function calledIn({ one }: RecordFacts, title: string | null): string {
  return title === null ? `the ${one}` : `the ${one} “${echoed(title)}”`;
}
