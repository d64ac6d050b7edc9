import { Duration } from '#domain/vault-queries/dql/duration.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A point in time: Unix ms, and the minutes by which its zone is ahead of UTC; null for the server’s own zone. */
export class Moment {
  readonly ms: number;
  readonly offset: number | null;

  constructor(ms: number, offset: number | null = null) {
    this.ms = ms;
    this.offset = offset;
  }

  /** What a clock in its zone shows, as the UTC fields of a date. */
  get clock(): Date {
    const date = new Date(this.ms);
    const ahead = this.offset ?? -date.getTimezoneOffset();
    return new Date(this.ms + ahead * minuteMs);
  }

  /** Whether a clock in its zone shows midnight. */
  get isDay(): boolean {
    return this.clock.getTime() % dayMs === 0;
  }

  /** The date alone for midnight, else the time in UTC (ISO 8601). */
  toJSON(): string | null {
    if (Number.isNaN(this.ms)) return null;
    return this.isDay ? this.clock.toISOString().slice(0, -14) : new Date(this.ms).toISOString();
  }
}

/** The moment at which a clock in a zone shows this, given as the UTC fields of a date. */
export function momentAt(clock: Date, offset: number | null): Moment {
  if (offset !== null) return new Moment(clock.getTime() - offset * minuteMs, offset);
  const local = new Date(0);
  local.setFullYear(clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate());
  local.setHours(clock.getUTCHours(), clock.getUTCMinutes(), clock.getUTCSeconds(), clock.getUTCMilliseconds());
  return new Moment(local.getTime());
}

/** Makes the date that a clock shows; days and months outside their range count on into the next ones. */
export function clockOf(year: number, month: number, day = 1, dayTimeMs = 0): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return new Date(date.getTime() + dayTimeMs);
}

const iso =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{3}))?)?)?(Z|[+-]\d{1,2}(?::\d{2})?)?)?)?$/;

/** Reads an ISO 8601 date or time, `YYYY-MM[-DD[THH:mm:ss.SSS]]` with a zone maybe; null when the text is none. */
export function momentIn(text: string): Moment | null {
  const [whole, year, month, day = '1', hour = '0', minute = '0', second = '0', ms = '0', zone = ''] =
    text.length > 40 ? [] : (iso.exec(text) ?? []);
  if (whole === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const time = Number(hour) * 60 * minuteMs + Number(minute) * minuteMs + Number(second) * 1_000 + Number(ms);
  const clock = clockOf(Number(year), Number(month), Number(day), time);
  if (clock.getUTCMonth() + 1 !== Number(month) || clock.getUTCDate() !== Number(day)) return null;
  return momentAt(clock, offsetOf(zone));
}

function offsetOf(zone: string): number | null {
  if (zone === '') return null;
  const [hours = '0', minutes = '0'] = zone.slice(1).split(':');
  return zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Finds the day in a title: `2026-11-25` or `20261125`; null when there is none. */
export function dayInTitle(title: string): Moment | null {
  const [, year, month, day] = /(\d{4})-(\d{2})-(\d{2})/.exec(title) ?? /(\d{4})(\d{2})(\d{2})/.exec(title) ?? [];
  return year === undefined ? null : momentIn(`${year}-${month}-${day}`);
}

/** The start of the day. */
export function startOfDay({ clock, offset }: Moment): Moment {
  return momentAt(clockOf(clock.getUTCFullYear(), clock.getUTCMonth() + 1, clock.getUTCDate()), offset);
}

/** The words that name a moment, such as `today` and `end-of-week`; `now` is in Unix ms. Null for other words. */
export function namedMoment(name: string, now: number): Moment | null {
  const today = startOfDay(new Moment(now)).clock;
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate()];
  const monday = day - ((today.getUTCDay() + 6) % 7);
  const clocks: Readonly<Record<string, Date>> = {
    today,
    tomorrow: clockOf(year, month, day + 1),
    yesterday: clockOf(year, month, day - 1),
    sow: clockOf(year, month, monday),
    eow: clockOf(year, month, monday + 7, -1),
    som: clockOf(year, month),
    eom: clockOf(year, month + 1, 1, -1),
    soy: clockOf(year, 1),
    eoy: clockOf(year + 1, 1, 1, -1),
  };
  if (name === 'now') return new Moment(now);
  const [, start, unit] = /^(start|end)-of-(week|month|year)$/.exec(name) ?? [];
  const short = start === undefined || unit === undefined ? name : `${start.charAt(0)}o${unit.charAt(0)}`;
  const clock = Object.hasOwn(clocks, short) ? clocks[short] : undefined;
  return clock === undefined ? null : momentAt(clock, null);
}

/** Adds a duration to a moment, by the calendar: a month after 31 January is the end of February. `sign` is 1 or -1. */
export function moved({ ms, clock, offset }: Moment, by: Duration, sign: 1 | -1): Moment {
  if (by.months === 0 && by.days === 0) return new Moment(ms + sign * by.ms, offset);
  const [year, month] = [clock.getUTCFullYear(), clock.getUTCMonth() + 1 + sign * by.months];
  const day = Math.min(clock.getUTCDate(), clockOf(year, month + 1, 0).getUTCDate()) + sign * by.days;
  const there = momentAt(clockOf(year, month, day, clock.getTime() - clockOf(...dateOf(clock)).getTime()), offset);
  return new Moment(there.ms + sign * by.ms, offset);
}

const dateOf = (clock: Date) => [clock.getUTCFullYear(), clock.getUTCMonth() + 1, clock.getUTCDate()] as const;

/** The time from one moment to another, in whole months, whole days and the rest; negative when the other is earlier. */
export function between(from: Moment, to: Moment): Duration {
  if (to.ms < from.ms) return between(to, from).times(-1);
  const [first, last] = [from.clock, new Moment(to.ms, from.offset).clock];
  let months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
  const after = (count: number): number => moved(new Moment(first.getTime(), 0), new Duration(count), 1).ms;
  if (after(months) > last.getTime()) months -= 1;
  const rest = last.getTime() - after(months);
  return new Duration(months, Math.floor(rest / dayMs), rest % dayMs);
}
