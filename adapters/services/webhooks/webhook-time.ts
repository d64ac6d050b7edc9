/** The maximum time of a JavaScript Date, Unix ms (ECMA-262, 21.4.1.1). */
const latest = 8_640_000_000_000_000;

/** Rounds a payload's time to whole Unix ms; null when it is not a valid time. */
export function realTime(ms: number | null | undefined): number | null {
  if (ms === null || ms === undefined || !(ms >= 0 && ms <= latest)) return null;
  return Math.floor(ms);
}

/** Parses a time in ISO 8601 or as '2026-01-14 18:16:56', which is UTC: Unix ms, or null. */
export function parsedTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const isPlain = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
  return realTime(Date.parse(isPlain ? `${text.replace(' ', 'T')}Z` : text));
}
