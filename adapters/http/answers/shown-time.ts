import { LRUCache } from 'lru-cache';

/**
 * A time for a page: what a person reads; the time for `datetime`; and the exact time in their zone, on hover. `age` is how many ms ago
 * it was, where the text says that; else null.
 */
export type ShownTime = Readonly<{ text: string; iso: string; exact: string; age: number | null }>;

/** Who reads a time: their IANA time zone, null for UTC, and when (Unix ms). */
export type TimeReader = Readonly<{ timeZone: string | null; now: number }>;

/** How times are shown to a user whose page is made now (Unix ms). */
export function timeReader(user: Readonly<{ timeZone?: string | null }>, now: number): TimeReader {
  return { timeZone: user.timeZone ?? null, now };
}

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });
/** The age from which a day says more than an age, in ms: 30 days. */
const oldMs = 30 * 86_400_000;

/** Formats a time (Unix ms) in an IANA time zone, null for UTC: '2026-11-22 19:05', exactly '2026-11-22 19:05:23 Europe/Vienna'. */
export function shownTime(time: number, timeZone: string | null): ShownTime {
  const parts = new Map(
    formatIn(timeZone ?? 'UTC')
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    partOf(parts, type),
  );
  const text = `${year}-${month}-${day} ${hour}:${minute}`;
  return {
    text: timeZone === null ? `${text} UTC` : text,
    iso: new Date(time).toISOString(),
    exact: `${text}:${second} ${timeZone ?? 'UTC'}`,
    age: null,
  };
}

/** Formats a past time (Unix ms) as its age: '23 s ago'; one of 30 days ago and before as a time. */
export function shownAge(time: number, { timeZone, now }: TimeReader): ShownTime {
  const shown = shownTime(time, timeZone);
  const age = Math.max(0, now - time);
  return age >= oldMs ? shown : { ...shown, text: `${shownDuration(age)} ago`, age };
}

/** A duration (ms) in its one greatest unit: '45 s', '12 min', '5 h', '3 days'. */
export function shownDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

function partOf(parts: ReadonlyMap<string, string>, type: string): string {
  return parts.get(type) ?? '';
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}
