import { LRUCache } from 'lru-cache';

/** A time for a page: what a person reads, and the exact time (UTC) for `datetime` and on hover. */
export type ShownTime = Readonly<{ text: string; iso: string; exact: string }>;

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Formats a time (Unix ms) in an IANA time zone, null for UTC: '2026-11-22 19:05'. */
export function shownTime(time: number, timeZone: string | null): ShownTime {
  const iso = new Date(time).toISOString();
  const parts = new Map(
    formatIn(timeZone ?? 'UTC')
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((type) =>
    partOf(parts, type),
  );
  const text = `${year}-${month}-${day} ${hour}:${minute}${timeZone === null ? ' UTC' : ''}`;
  return { text, iso, exact: `${iso.slice(0, 19).replace('T', ' ')} UTC` };
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
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}
