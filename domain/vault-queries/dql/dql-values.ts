import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** A point in time, in Unix ms. */
export class Moment {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }

  /** The date alone for local midnight, else the time in UTC (ISO 8601). */
  toJSON(): string | null {
    const date = new Date(this.ms);
    if (Number.isNaN(this.ms)) return null;
    if (date.getHours() + date.getMinutes() + date.getSeconds() + date.getMilliseconds() > 0) return date.toISOString();
    const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
    return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
  }
}

/** A duration: calendar months plus ms. */
export class Duration {
  readonly months: number;
  readonly ms: number;
  constructor(months: number, ms: number) {
    this.months = months;
    this.ms = ms;
  }

  /** The approximate length in ms, for comparing; a month counts as 30 days. */
  get length(): number {
    return this.months * 30 * dayMs + this.ms;
  }

  toJSON(): number {
    return this.length;
  }
}

/** A link to a file of the vault; the file may not exist. */
export class Link {
  readonly path: string;
  readonly type = 'file';
  readonly embed = false;
  constructor(path: string) {
    this.path = path;
  }
}

const dayMs = 86_400_000;
const iso = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?)?$/;

/** Parses an ISO 8601 date or time, in local time when no zone is given; null when the text is none. */
export function momentIn(text: string): Moment | null {
  if (text.length > 40 || !iso.test(text)) return null;
  const full = text.length === 7 ? `${text}-01` : text;
  const ms = new Date(full.length === 10 ? `${full}T00:00` : full).getTime();
  return Number.isNaN(ms) ? null : new Moment(ms);
}

/**
 * Resolves a named time: `today`, `now`, `tomorrow`, `yesterday`, `sow`, `som`, `soy` and the like; null for other
 * names.
 */
export function namedMoment(name: string, now: number): Moment | null {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  const weekday = (date.getDay() + 6) % 7;
  const days: Readonly<Record<string, Date>> = {
    now: date,
    today: new Date(year, month, day),
    tomorrow: new Date(year, month, day + 1),
    yesterday: new Date(year, month, day - 1),
    sow: new Date(year, month, day - weekday),
    eow: new Date(year, month, day - weekday + 7, 0, 0, 0, -1),
    som: new Date(year, month, 1),
    eom: new Date(year, month + 1, 1, 0, 0, 0, -1),
    soy: new Date(year, 0, 1),
    eoy: new Date(year + 1, 0, 1, 0, 0, 0, -1),
  };
  const found = Object.hasOwn(days, name.toLowerCase()) ? days[name.toLowerCase()] : undefined;
  return found === undefined ? null : new Moment(found.getTime());
}

const units: readonly (readonly [RegExp, number, number])[] = [
  [/^(?:s|secs?|seconds?)$/i, 0, 1_000],
  [/^(?:m|mins?|minutes?)$/i, 0, 60_000],
  [/^(?:h|hrs?|hours?)$/i, 0, 3_600_000],
  [/^(?:d|days?)$/i, 0, dayMs],
  [/^(?:w|wks?|weeks?)$/i, 0, 7 * dayMs],
  [/^(?:mo|months?)$/i, 1, 0],
  [/^(?:y|yrs?|years?)$/i, 12, 0],
];

/** Parses a duration such as `7 days` or `1 month, 2 d`; null when a part is not a number with a unit. */
export function durationIn(text: string): Duration | null {
  const parts =
    text
      .trim()
      .split(/[\s,]+/)
      .join(' ')
      .match(/(?<![\d.])[\d.]+ ?[a-z]+/gi) ?? [];
  if (parts.join('').replaceAll(' ', '') !== text.replaceAll(/[\s,]+/g, '') || parts.length === 0) return null;
  let [months, ms] = [0, 0];
  for (const part of parts) {
    const [, count = '', unit = ''] = /^([\d.]+) ?([a-z]+)$/i.exec(part) ?? [];
    const known = units.find(([name]) => name.test(unit));
    if (known === undefined || !Number.isFinite(Number(count))) return null;
    months += Number(count) * known[1];
    ms += Number(count) * known[2];
  }
  return new Duration(months, ms);
}

/** Adds a duration to a time; `sign` is 1 or -1. */
export function moved({ ms }: Moment, by: Duration, sign: number): Moment {
  const date = new Date(ms);
  if (by.months !== 0) date.setMonth(date.getMonth() + sign * Math.trunc(by.months));
  return new Moment(date.getTime() + sign * by.ms);
}

/** Truthiness in the language: empty values are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return Boolean(value);
}

/**
 * Compares two values for `=`, `<` and SORT. Values of different kinds compare by kind, with null first. A text that
 * holds a date compares as that date where the other value is a time.
 */
export function orderOf(a: unknown, b: unknown, budget: WorkBudget): number {
  budget.take(2);
  const [one, other] = [asBeside(a, b), asBeside(b, a)];
  const [first, second] = [rankOf(one), rankOf(other)];
  if (first !== second) return first - second;
  if (Array.isArray(one) && Array.isArray(other)) {
    for (const [index, member] of one.entries()) {
      const order = index < other.length ? orderOf(member, other[index], budget) : 1;
      if (order !== 0) return order;
    }
    return one.length - other.length;
  }
  const [left, right] = [keyOf(one), keyOf(other)];
  if (typeof left === 'string') budget.take(left.length / 64);
  return left < right ? -1 : left > right ? 1 : 0;
}

function asBeside(value: unknown, other: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (other instanceof Moment) return momentIn(value) ?? value;
  return other instanceof Duration ? (durationIn(value) ?? value) : value;
}

function rankOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'boolean') return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (value instanceof Moment) return 4;
  if (value instanceof Duration) return 5;
  if (value instanceof Link) return 6;
  return Array.isArray(value) ? 7 : 8;
}

function keyOf(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Moment) return value.ms;
  if (value instanceof Duration) return value.length;
  if (value instanceof Link) return value.path;
  return 0;
}
