import { invalidDocument, invalidInput } from '#test/emulators/tracker/faults.ts';
import { type RecordKind, types } from '#test/emulators/tracker/types.ts';
import type { Item, Workspace } from '#test/emulators/tracker/workspace.ts';

type Filter = Readonly<Record<string, unknown>>;

const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that can be filtered by and not selected, or that are named otherwise in a filter: a collection of a kind. */
const collections: Readonly<Record<string, RecordKind>> = { 'Project.accessibleTeams': 'Team' };

/** Whether a record passes a filter. Members that are not known are refused, as the schema would. */
export function passes(space: Workspace, kind: RecordKind, item: Item | null, filter: Filter): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === 'and' || name === 'or') {
      const parts = (Array.isArray(wanted) ? wanted : [wanted]).filter(isFilter);
      const results = parts.map((part) => passes(space, kind, item, part));
      return name === 'and' ? results.every(Boolean) : results.some(Boolean);
    }
    if (name === 'null') return (item === null) === wanted;
    return passesMember(space, { kind, item, name }, wanted);
  });
}

function passesMember(
  space: Workspace,
  { kind, item, name }: Readonly<{ kind: RecordKind; item: Item | null; name: string }>,
  wanted: unknown,
): boolean {
  if (!isFilter(wanted)) throw invalidDocument(`Expected an object for "${name}" of "${kind}Filter".`);
  const { leaves, objects, connections } = types[kind];
  const collection = connections[name] ?? collections[`${kind}.${name}`];
  const object = objects[name];
  if (collection !== undefined) {
    const items = item === null ? [] : space.connection(kind, item, name);
    return passesCollection(space, collection, items, wanted);
  }
  if (object !== undefined) {
    const related = item === null ? null : space.related(kind, item, name);
    if (item === null || (related === null && !mentionsNull(wanted))) return false;
    return passes(space, object, related, wanted);
  }
  if (name === 'searchableContent' && (kind === 'Issue' || kind === 'Project')) {
    const searched = `${lower(item?.['title'] ?? item?.['name'])} ${lower(item?.['description'])}`;
    return searched.includes(lower(wanted['contains']));
  }
  if (name === 'id' && [wanted['eq'], wanted['in']].flat().some((id) => id !== undefined && !isId(id))) {
    throw invalidInput('id must be a UUID.');
  }
  if (!leaves.includes(name)) throw invalidDocument(`Field "${name}" is not defined by type "${kind}Filter".`);
  return item !== null && compares(space.leaf(kind, item, name), wanted, space.now());
}

/** A filter that can hold where there is nothing. */
const mentionsNull = (filter: Filter): boolean =>
  'null' in filter ||
  ['and', 'or'].some((name) => Array.isArray(filter[name]) && filter[name].filter(isFilter).some(mentionsNull));

function passesCollection(space: Workspace, kind: RecordKind, items: readonly Item[], wanted: Filter): boolean {
  const { some, every, ...rest } = wanted;
  if (isFilter(some) && !items.some((item) => passes(space, kind, item, some))) return false;
  if (isFilter(every) && !items.every((item) => passes(space, kind, item, every))) return false;
  return Object.keys(rest).length === 0 || items.some((item) => passes(space, kind, item, rest));
}

type Compare = (actual: unknown, wanted: unknown, now: number) => boolean;

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const lower = (value: unknown) => text(value).toLowerCase();
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const comparators: Readonly<Record<string, Compare>> = {
  eq: (actual, wanted, now) => (isId(wanted) ? actual === wanted : order(actual, wanted, now) === 0),
  neq: (actual, wanted, now) => order(actual, wanted, now) !== 0,
  in: (actual, wanted) => asList(wanted).includes(actual),
  nin: (actual, wanted) => !asList(wanted).includes(actual),
  lt: (actual, wanted, now) => actual != null && order(actual, wanted, now) < 0,
  lte: (actual, wanted, now) => actual != null && order(actual, wanted, now) <= 0,
  gt: (actual, wanted, now) => actual != null && order(actual, wanted, now) > 0,
  gte: (actual, wanted, now) => actual != null && order(actual, wanted, now) >= 0,
  null: (actual, wanted) => (actual == null) === wanted,
  contains: (actual, wanted) => text(actual).includes(text(wanted)),
  containsIgnoreCase: (actual, wanted) => lower(actual).includes(lower(wanted)),
  notContains: (actual, wanted) => !text(actual).includes(text(wanted)),
  startsWith: (actual, wanted) => text(actual).startsWith(text(wanted)),
  endsWith: (actual, wanted) => text(actual).endsWith(text(wanted)),
  eqIgnoreCase: (actual, wanted) => actual != null && lower(actual) === lower(wanted),
  neqIgnoreCase: (actual, wanted) => lower(actual) !== lower(wanted),
};

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

function compares(actual: unknown, wanted: Filter, now: number): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const compare = comparators[name];
    if (compare === undefined) throw invalidDocument(`Field "${name}" is not defined by the comparator.`);
    return compare(actual, value, now);
  });
}

/** Below, at or above zero; times and durations from now are compared as times. */
function order(actual: unknown, wanted: unknown, now: number): number {
  if (typeof actual === 'string' && typeof wanted === 'string') {
    const [left, right] = [timeOf(actual, now), timeOf(wanted, now)];
    if (left !== null && right !== null) return left - right;
    return actual === wanted ? 0 : actual < wanted ? -1 : 1;
  }
  if (typeof actual === 'number' && typeof wanted === 'number') return actual - wanted;
  return actual === wanted ? 0 : 1;
}

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { D: dayMs, W: 7 * dayMs, M: 30 * dayMs, Y: 365 * dayMs };

function timeOf(value: string, now: number): number | null {
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return Date.parse(value);
  const [, sign = '', count = '0', unit = ''] = /^(-?)P(\d+)([DWMY])$/.exec(value) ?? [];
  if (unit === '') {
    if (/^-?P[\dT]/.test(value)) throw invalidInput(`"${value}" is no duration that can be read.`);
    return null;
  }
  return now + (sign === '-' ? -1 : 1) * Number(count) * (unitMs[unit] ?? 0);
}
