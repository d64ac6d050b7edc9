const minMs = 5 * 60_000;
const maxMs = 24 * 3_600_000;
const unsaidMs = 3_600_000;

/**
 * How long to cache a document, in ms, from its response headers (RFC 9111 §5.2, §5.3). At least five minutes, since
 * one authorization takes several requests; at most a day; an hour when the headers say nothing. `now` is in Unix ms.
 */
export function documentLifetimeMs(headers: Readonly<Record<string, string>>, now: number): number {
  const control = headers['cache-control']?.toLowerCase() ?? '';
  if (/(?:^|,)\s*(?:no-store|no-cache)\s*(?:[,=]|$)/.test(control)) return minMs;
  const age = Number(/(?:^|,)\s*max-age="?(\d{1,10})/.exec(control)?.[1] ?? Number.NaN);
  if (Number.isFinite(age)) return bounded((age - secondsOf(headers['age'])) * 1000);
  const expires = Date.parse(headers['expires'] ?? '');
  if (headers['expires'] !== undefined) return bounded(Number.isNaN(expires) ? 0 : expires - now);
  return unsaidMs;
}

function secondsOf(age: string | undefined): number {
  return age !== undefined && /^\d{1,10}$/.test(age) ? Number(age) : 0;
}

function bounded(ms: number): number {
  return Math.min(maxMs, Math.max(minMs, ms));
}
