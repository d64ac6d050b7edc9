import type { HttpAnswer, HttpError, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** The facts by which a retry is decided. `random` is 0 to 1. */
export type RetryQuestion = Readonly<{
  /** Whether the request is idempotent: a repeat changes nothing, also when the first one succeeded. */
  isRepeatable: boolean;
  /** The number of this attempt, from 1. */
  attempt: number;
  result: HttpAnswer | HttpError;
  /** The rate limit that the answer reports in a format of its server's own. */
  limit?: ReportedLimit | null;
  random: number;
}>;

const firstStepMs = 500;
const maxStepMs = 20_000;

/**
 * Milliseconds to wait before the request may be sent again, or null when it must not be. After 429, and where the answer
 * reports a limit in another format, any request may, since nothing was done; after a 5xx or a network error only an
 * idempotent one. `Retry-After` is honoured, else full-jitter exponential backoff.
 */
export function retryWaitMs({ isRepeatable, attempt, result, limit = null, random }: RetryQuestion): number | null {
  const step = Math.min(maxStepMs, firstStepMs * 2 ** (attempt - 1));
  const backoffMs = Math.round(random * step);
  if (result.kind === 'error') {
    return isRepeatable && (result.reason === 'network' || result.reason === 'timeout') ? backoffMs : null;
  }
  if (result.status === 429 || limit !== null) {
    return retryAfterMs(result.headers, Date.now()) ?? limit?.retryAfterMs ?? backoffMs;
  }
  if (result.status < 500 || result.status === 501 || !isRepeatable) return null;
  return retryAfterMs(result.headers, Date.now()) ?? backoffMs;
}

/** Reads `Retry-After` as milliseconds from `now` (Unix ms), from seconds or a date (RFC 9110 §10.2.3); null without one. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  // Date.parse takes almost anything for a date; an HTTP date begins with the name of a day.
  const at = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
