const dayMs = 86_400_000;

/** A duration: months and days of the calendar, and ms. All are whole numbers of the same sign, if it was read or measured. */
export class Duration {
  readonly months: number;
  readonly days: number;
  readonly ms: number;

  constructor(months: number, days = 0, ms = 0) {
    this.months = months;
    this.days = days;
    this.ms = ms;
  }

  /** The approximate length in ms, for comparing: a year has 365 days, a month 30. */
  get length(): number {
    const years = Math.trunc(this.months / 12);
    return (years * 365 + (this.months - years * 12) * 30 + this.days) * dayMs + this.ms;
  }

  plus({ months, days, ms }: Duration): Duration {
    return new Duration(this.months + months, this.days + days, this.ms + ms);
  }

  /** The duration so many times; what is no whole month counts as days of 30, what is no whole day as ms. */
  times(count: number): Duration {
    const months = this.months * count;
    const days = this.days * count + (months - Math.trunc(months)) * 30;
    return new Duration(Math.trunc(months), Math.trunc(days), this.ms * count + (days - Math.trunc(days)) * dayMs);
  }

  /** The duration in these units, from the largest to the smallest; the smallest may have a fraction. */
  in(units: readonly Unit[]): ReadonlyMap<Unit, number> {
    const sign = this.length < 0 ? -1 : 1;
    let left = Math.abs(this.length);
    const counts = new Map<Unit, number>();
    for (const unit of unitNames.filter((known) => units.includes(known))) {
      const isLast = units.every((other) => unitNames.indexOf(other) <= unitNames.indexOf(unit));
      const months = unit === 'month' && !units.includes('year') ? Math.abs(Math.trunc(this.months)) : 0;
      const count = months > 0 ? months : left / lengths[unit];
      counts.set(unit, sign * (isLast ? count : Math.floor(count)));
      left -= months > 0 ? new Duration(months).length : Math.floor(count) * lengths[unit];
    }
    return counts;
  }

  /** The duration in words: `1 week, 2 days`. */
  toString(): string {
    const parts = [...this.in(unitNames)].filter(([, count]) => count !== 0);
    const words = parts.map(([unit, count]) => `${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`);
    return words.join(', ') || '0 seconds';
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The units of a duration, from the longest to the shortest. */
export const unitNames = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;

/** A unit of a duration. */
export type Unit = (typeof unitNames)[number];

const lengths: Readonly<Record<Unit, number>> = {
  year: 365 * dayMs,
  month: 30 * dayMs,
  week: 7 * dayMs,
  day: dayMs,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
  millisecond: 1,
};

const part =
  /(-?\d+(?:\.\d+)?)[ \t]*(years?|yrs?|y|months?|mos?|weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)[ \t]*(?:,[ \t]*)?/y;

const unitOf: readonly (readonly [RegExp, Duration])[] = [
  [/^y/, new Duration(12)],
  [/^mo/, new Duration(1)],
  [/^w/, new Duration(0, 7)],
  [/^d/, new Duration(0, 1)],
  [/^h/, new Duration(0, 0, lengths.hour)],
  [/^m/, new Duration(0, 0, lengths.minute)],
  [/^s/, new Duration(0, 0, lengths.second)],
];

/** Reads a duration such as `7 days`, `1 month, 2 d` or `4hr2min`; null when the text is none. */
export function durationIn(text: string): Duration | null {
  const whole = text.trim();
  if (whole.length > 100 || !/^[-\d]/.test(whole) || whole.endsWith(',')) return null;
  let sum = new Duration(0);
  for (part.lastIndex = 0; part.lastIndex < whole.length; ) {
    const [, count, name = ''] = part.exec(whole) ?? [];
    const unit = unitOf.find(([start]) => start.test(name))?.[1];
    if (count === undefined || unit === undefined) return null;
    sum = sum.plus(unit.times(Number(count)));
  }
  return sum;
}
