import { formatMoment } from '#domain/vault-queries/dql/date-format.ts';
import { Duration } from '#domain/vault-queries/dql/duration.ts';
import { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import { Link } from '#domain/vault-queries/dql/link.ts';
import { Moment } from '#domain/vault-queries/dql/moment.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** A function that a query writes: `(x) => x + 1`. */
export type Lambda = (...values: readonly unknown[]) => unknown;

/** Whether the value is a function: only queries make them. */
export function isLambda(value: unknown): value is Lambda {
  return typeof value === 'function';
}

/** The types of values; those that compare across types come in the order of their names, after null. */
export type ValueKind =
  | 'array'
  | 'boolean'
  | 'date'
  | 'duration'
  | 'function'
  | 'link'
  | 'null'
  | 'number'
  | 'object'
  | 'string';

/** The type of a value. */
export function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return typeOf(value);
  if (typeof value === 'function') return 'function';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Moment) return 'date';
  if (value instanceof Duration) return 'duration';
  return value instanceof Link ? 'link' : 'object';
}

function typeOf(value: number | string | boolean): ValueKind {
  return typeof value === 'number' ? 'number' : typeof value === 'string' ? 'string' : 'boolean';
}

/** Whether the value is one of these fields: an object of the frontmatter, or fields that are worked out on demand. */
export function isFields(value: unknown): value is LazyFields | Readonly<Record<string, unknown>> {
  return kindOf(value) === 'object';
}

/** The names of the fields of an object. */
export function fieldNamesOf(object: LazyFields | Readonly<Record<string, unknown>>): readonly string[] {
  return object instanceof LazyFields ? object.names() : Object.keys(object);
}

/** A field of an object; null when there is none. */
export function fieldIn(object: LazyFields | Readonly<Record<string, unknown>>, name: string): unknown {
  if (object instanceof LazyFields) return object.get(name) ?? null;
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null;
}

/** Whether a value counts as true: empty values do not. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Moment) return value.ms !== 0;
  if (value instanceof Duration) return value.length !== 0;
  if (value instanceof Link) return value.path !== '';
  return isFields(value) ? fieldNamesOf(value).length > 0 : Boolean(value);
}

const letters = new Intl.Collator('en');

/**
 * Compares two values, for operators and for SORT: below 0, 0 or above 0. Null is first; other values of different
 * types compare by the names of their types, texts by the rules of a dictionary.
 */
export function orderOf(a: unknown, b: unknown, budget: WorkBudget): number {
  budget.take(3);
  const [one, other] = [kindOf(a), kindOf(b)];
  if (one !== other) return one === 'null' ? -1 : other === 'null' ? 1 : one < other ? -1 : 1;
  if (Array.isArray(a) && Array.isArray(b)) return orderOfLists(a, b, budget);
  if (isFields(a) && isFields(b)) return orderOfObjects(a, b, budget);
  const [left, right] = [keyOf(a), keyOf(b)];
  if (typeof left === 'number' || typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  budget.take(Math.min(left.length, right.length) / 8);
  return left === right ? 0 : letters.compare(left, right);
}

function orderOfLists(a: readonly unknown[], b: readonly unknown[], budget: WorkBudget): number {
  for (const [index, member] of a.slice(0, b.length).entries()) {
    const order = orderOf(member, b[index], budget);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

type Fields = Parameters<typeof fieldIn>[0];

function orderOfObjects(a: Fields, b: Fields, budget: WorkBudget): number {
  const names = fieldNamesOf(a).toSorted();
  const order = orderOfLists(names, fieldNamesOf(b).toSorted(), budget);
  if (order !== 0) return order;
  const values = (of: Fields) => names.map((name) => fieldIn(of, name));
  return orderOfLists(values(a), values(b), budget);
}

function keyOf(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Moment) return value.ms;
  if (value instanceof Duration) return value.length;
  return value instanceof Link ? value.place : Number(value === true);
}

/** Writes a value as the language does where a text is needed: links with brackets, dates as `November 25, 2026`. */
export function writtenText(value: unknown, budget: WorkBudget, isWithin = false): string {
  budget.take(4);
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '-';
  if (value instanceof Moment) return formatMoment(value, value.isDay ? 'MMMM dd, yyyy' : 'h:mm a - MMMM dd, yyyy');
  if (Array.isArray(value)) {
    const members = value.map((member) => writtenText(member, budget, true)).join(', ');
    budget.take(members.length / 4);
    return isWithin ? `[${members}]` : members;
  }
  if (value instanceof LazyFields) return writtenText(value.printed(), budget, isWithin);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Duration || value instanceof Link) return value.toString();
  if (!isFields(value)) return '<function>';
  const fields = Object.entries(value).map(([name, member]) => `${name}: ${writtenText(member, budget, true)}`);
  const text = `{ ${fields.join(', ')} }`;
  budget.take(text.length / 4);
  return text;
}

/** A value as it is answered, in JSON: links with brackets, dates in ISO 8601, durations in words. */
export function printedOf(value: unknown, budget: WorkBudget): unknown {
  budget.take(2);
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map((member) => printedOf(member, budget));
  if (value instanceof LazyFields) return printedOf(value.printed(), budget);
  if (value instanceof Moment || value instanceof Duration || value instanceof Link) return value.toJSON();
  if (typeof value === 'function') return '<function>';
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, printedOf(member, budget)]));
}
