import { LRUCache } from 'lru-cache';

/**
 * A time as a page shows it: the text, the `datetime` attribute, and the exact time in the user's zone as tooltip.
 * `age` is the ms since then where the text is an age; else null.
 */
export type ShownTime = Readonly<{ text: string; iso: string; exact: string; age: number | null }>;

/** For whom a time is formatted: their IANA time zone, null for UTC, and the current time (Unix ms). */
export type TimeReader = Readonly<{ timeZone: string | null; now: number }>;

/** Builds the reader of times for a user's page rendered at `now` (Unix ms). */
export function timeReader(user: Readonly<{ timeZone?: string | null }>, now: number): TimeReader {
  return { timeZone: user.timeZone ?? null, now };
}

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });
/** The age from which the date is shown instead of the age, in ms: 30 days. */
const oldMs = 30 * 86_400_000;

/** Formats a time (Unix ms) in an IANA time zone, null for UTC: '2026-11-22 19:05', exactly '2026-11-22 19:05:23 Europe/Vienna'. */
export function shownTime(time: number, timeZone: string | null): ShownTime {
  const iso = new Date(time).toISOString();
  // A page has a hundred times, and a time of another zone takes thirty times as long.
  const isUtc = timeZone === null || timeZone === 'UTC';
  const exact = isUtc ? iso.slice(0, 19).replace('T', ' ') : textIn(timeZone, time);
  const text = exact.slice(0, -':00'.length);
  return {
    text: isUtc ? `${text} UTC` : text,
    iso,
    exact: `${exact} ${timeZone ?? 'UTC'}`,
    age: null,
  };
}

/** A time in a zone: '2026-11-22 19:05:23'. */
function textIn(timeZone: string, time: number): string {
  const parts = new Map(
    formatIn(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
    partOf(parts, type),
  );
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** Formats a past time (Unix ms) as its age, such as '23 s ago'; from an age of 30 days as a time. */
export function shownAge(time: number, { timeZone, now }: TimeReader): ShownTime {
  const shown = shownTime(time, timeZone);
  const age = Math.max(0, now - time);
  return age >= oldMs ? shown : { ...shown, text: `${shownDuration(age)} ago`, age };
}

/** Formats a duration (ms) in its largest unit: '45 s', '12 min', '5 h', '3 days'. */
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
