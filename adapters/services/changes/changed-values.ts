import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

/** Inputs of an operation, or members of a record, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The member that holds custom fields; each of them is a value of its own, `custom_fields.` and its key. */
const group = 'custom_fields';
const prefix = `${group}.`;

/** Returns the members with each custom field as a member of its own. */
export function flatMembers(members: Members): Members {
  const entries = Object.entries(members).flatMap(([name, value]) =>
    name === group && isObject(value)
      ? Object.entries(value).map(([key, one]) => [`${prefix}${key}`, one] as const)
      : [[name, value] as const],
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns flat members in the form in which they are sent. */
export function groupedMembers(flat: Members): Members {
  const isCustom = ([name]: readonly [string, unknown]): boolean => name.startsWith(prefix);
  const custom = Object.entries(flat).filter(isCustom);
  const rest = Object.fromEntries(Object.entries(flat).filter((entry) => !isCustom(entry)));
  if (custom.length === 0) return rest;
  return { ...rest, [group]: Object.fromEntries(custom.map(([name, value]) => [name.slice(prefix.length), value])) };
}

/** The keys of the custom fields among flat names. */
export function customKeys(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/** A record's value by a flat name; undefined where the record does not show it. */
export function namedMember(record: Members, name: string): unknown {
  if (!name.startsWith(prefix)) return own(record, name);
  const custom = own(record, group);
  return isObject(custom) ? own(custom, name.slice(prefix.length)) : undefined;
}

const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Whether two values say the same: nothing is null, an empty text, list or object, and a point in time is the same in any
 * form.
 */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(plainest(left)) === JSON.stringify(plainest(right));
}

/** Returns a value in the one form in which equal values are equal. */
function plainest(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plainest);
  if (isObject(value)) {
    const members = Object.entries(value).flatMap(([name, one]) => {
      const plain = plainest(one);
      return plain === null ? [] : [[name, plain] as const];
    });
    const sorted = members.toSorted(([left], [right]) => (left < right ? -1 : Number(left > right)));
    return sorted.length === 0 ? null : Object.fromEntries(sorted);
  }
  if (value === undefined || value === '') return null;
  const at = typeof value === 'string' ? moment.exec(value) : null;
  if (at === null) return value;
  const ms = Date.parse(at[1] === undefined ? `${at[0].replace(' ', 'T')}Z` : at[0]);
  return Number.isNaN(ms) ? value : ms;
}

/** A set without what a change added to it, and with what the change removed: as it was if nobody changed it since. */
export function withoutSteps(now: unknown, after: unknown, before: unknown): readonly unknown[] {
  const [has, left, had] = [listIn(now), listIn(after), listIn(before)];
  if (isSame(has, left)) return had;
  const [added, removed] = [without(left, had), without(had, left)];
  return [...without(has, added), ...without(removed, has)];
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const without = (set: readonly unknown[], others: readonly unknown[]): readonly unknown[] =>
  set.filter((one) => !others.includes(one));

/** The label of a field for people: `expected_close_date`, `dueDate` and `Deal_Name` are read as words. */
export function labelOf(name: string): string {
  if (name.startsWith(prefix)) return name.slice(prefix.length);
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]+/g, ' ')
    .replace(/ [Ii]d$/, '')
    .replace(/ [Ii]ds$/, 's')
    .trim();
  const [first = '', ...rest] = words.split(' ');
  const isWord = (word: string): boolean => /^[A-Z][a-z]+$/.test(word);
  const sentence = [first, ...rest.map((word) => (isWord(word) && !name.includes('_') ? word.toLowerCase() : word))];
  const label = sentence.join(' ');
  return label === '' ? name : `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
}
