import { defaultPageSize } from '#adapters/services/requests/page-size.ts';
import { isObject } from '#domain/json/json-data.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** A record in the kind's words, whose members a filter names. */
export type Matched = Readonly<Record<string, unknown>>;

const day = 86_400_000;

/** Unix ms of a time, a day, or an ISO duration from now such as `-P2W`; null when it is none of these. */
export function timeOf(value: unknown, now = Date.now()): number | null {
  if (typeof value !== 'string') return null;
  const [whole, sign, years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^([+-]?)P(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/.exec(
      value,
    ) ?? [];
  if (whole !== undefined && /\d/.test(whole)) {
    const factor = sign === '-' ? -1 : 1;
    const at = new Date(now);
    at.setUTCMonth(at.getUTCMonth() + factor * (Number(years) * 12 + Number(months)));
    const rest =
      (Number(weeks) * 7 + Number(days)) * day + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return at.getTime() + factor * rest;
  }
  const at = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

const low = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
const compared = (one: unknown, other: unknown) => {
  const [a, b] = [timeOf(one) ?? one, timeOf(other) ?? other];
  return typeof a === 'number' && typeof b === 'number' ? a - b : Number.NaN;
};
const includes = (whole: unknown, part: unknown) =>
  typeof whole === 'string' && typeof part === 'string' && whole.includes(part);

/** The comparators of the kind's filters. */
const comparators: Readonly<Record<string, (value: unknown, to: unknown) => boolean>> = {
  eq: (value, to) => (value ?? null) === to,
  neq: (value, to) => (value ?? null) !== to,
  eqIgnoreCase: (value, to) => low(value) === low(to),
  neqIgnoreCase: (value, to) => low(value) !== low(to),
  in: (value, to) => Array.isArray(to) && to.includes(value),
  nin: (value, to) => Array.isArray(to) && !to.includes(value),
  lt: (value, to) => compared(value, to) < 0,
  lte: (value, to) => compared(value, to) <= 0,
  gt: (value, to) => compared(value, to) > 0,
  gte: (value, to) => compared(value, to) >= 0,
  contains: (value, to) => includes(value, to),
  notContains: (value, to) => !includes(value, to),
  containsIgnoreCase: (value, to) => includes(low(value), low(to)),
  notContainsIgnoreCase: (value, to) => !includes(low(value), low(to)),
  startsWith: (value, to) => typeof value === 'string' && value.startsWith(String(to)),
  endsWith: (value, to) => typeof value === 'string' && value.endsWith(String(to)),
  null: (value, to) => (value == null) === to,
};

/** The records that a filter matches. What it names and no record of this kind has is refused, with its place. */
export function selected<Record extends Matched>(
  records: readonly Record[],
  filter: unknown,
  place = 'filter',
): Outcome<readonly Record[]> {
  const refused = new Set<string>();
  const kept = records.filter((record) => matches(record, filter ?? {}, { place, refused }));
  if (records.length === 0) return succeeded([]);
  const [first] = refused;
  return first === undefined ? succeeded(kept) : refusal(first);
}

/** The failure for a part of a filter that the vendor has no equivalent of. */
export const refusal = (place: string) =>
  failed('invalid_input', `The tracker cannot filter by \`${place}\`: its vendor has no equivalent of it.`);

/** Whether a value fits a filter of its own members, or of comparators. */
export function fits(value: unknown, filter: unknown): boolean {
  return matches(value, filter, { place: '', refused: new Set() });
}

function matches(
  value: unknown,
  filter: unknown,
  { place, refused }: Readonly<{ place: string; refused: Set<string> }>,
): boolean {
  if (!isObject(filter)) {
    refused.add(place);
    return false;
  }
  return Object.entries(filter).every(([name, part]) => {
    const within = `${place}.${name}`;
    const parts = Array.isArray(part) ? part : [];
    const each = (one: unknown, index: number) => matches(value, one, { place: `${within}[${index}]`, refused });
    if (name === 'and') return parts.map(each).every(Boolean);
    if (name === 'or') return parts.map(each).some(Boolean);
    if (name === 'some' && Array.isArray(value))
      return value.some((one) => matches(one, part, { place: within, refused }));
    const compare = Object.hasOwn(comparators, name) ? comparators[name] : undefined;
    if (compare !== undefined && (!isObject(value) || name === 'null')) return compare(value, part);
    if (value === null) return false;
    if (isObject(value) && Object.hasOwn(value, name)) return matches(value[name], part, { place: within, refused });
    refused.add(within);
    return false;
  });
}

/** All texts that a filter compares with, wherever they stand. */
export function textsIn(filter: unknown): readonly string[] {
  if (typeof filter === 'string') return [filter];
  if (Array.isArray(filter)) return filter.flatMap(textsIn);
  return isObject(filter) ? Object.values(filter).flatMap(textsIn) : [];
}

/** What a filter says of a member, at its top or in its `and`; undefined when it says nothing. */
export function partOf(filter: unknown, member: string): unknown {
  if (!isObject(filter)) return undefined;
  const parts = [filter, ...(Array.isArray(filter['and']) ? filter['and'] : [])];
  return parts.find((part) => isObject(part) && Object.hasOwn(part, member))?.[member] ?? undefined;
}

/** The inputs of every list. */
export type ListInput = Readonly<{
  filter?: Matched | undefined;
  first?: number | undefined;
  after?: string | undefined;
  last?: number | undefined;
  before?: string | undefined;
  orderBy?: 'createdAt' | 'updatedAt' | undefined;
}>;

/** A page of the records that the list's filter matches; `next` is a position among them. */
export function pageOf(
  records: readonly Matched[],
  { filter, first, after, last, before, orderBy }: ListInput,
): Outcome {
  const kept = selected(records, filter);
  if (!kept.ok) return kept;
  const sorted =
    orderBy === undefined ? kept.data : kept.data.toSorted((one, other) => compared(other[orderBy], one[orderBy]) || 0);
  const isBackwards = last !== undefined || before !== undefined;
  const end = isBackwards
    ? Math.min(Number(before ?? sorted.length) || 0, sorted.length)
    : Math.min((Number(after ?? 0) || 0) + (first ?? defaultPageSize), sorted.length);
  const start = isBackwards ? Math.max(0, end - (last ?? defaultPageSize)) : Number(after ?? 0) || 0;
  const hasMore = isBackwards ? start > 0 : end < sorted.length;
  const next = hasMore ? String(isBackwards ? start : end) : null;
  return succeeded(sorted.slice(start, end), { next, hasMore, total: sorted.length });
}
