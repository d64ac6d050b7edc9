/** The latest time that a date can have, Unix ms (ECMA-262, 21.4.1.1). */
const latest = 8_640_000_000_000_000;

/** A time that a payload tells, as whole Unix ms; null for what is no time. */
export function realTime(ms: number | null | undefined): number | null {
  if (ms === null || ms === undefined || !(ms >= 0 && ms <= latest)) return null;
  return Math.floor(ms);
}

/** A time as text, ISO 8601 or '2026-01-14 18:16:56', which is UTC: Unix ms, or null. */
export function parsedTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
  return realTime(Date.parse(isPlain ? `${text.replace(' ', 'T')}Z` : text));
}
