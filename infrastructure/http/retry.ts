import type { HttpAnswer, HttpError, HttpStream, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** The facts that determine a retry. `random` is from 0 to 1. */
type RetryQuestion = Readonly<{
  /** Whether the request is idempotent, so that sending it again has no further effect. */
  isRepeatable: boolean;
  /** The number of this attempt, from 1. */
  attempt: number;
  result: HttpAnswer | HttpError;
  /** The rate limit that the answer reports in a vendor-specific format. */
  limit?: ReportedLimit | null;
  random: number;
}>;

const firstStepMs = 500;
const maxStepMs = 20_000;

/**
 * Returns the milliseconds to wait before the request is sent again; null when it must not be. After a 429, or a rate
 * limit reported in another format, any request may be repeated, since nothing was done; after a 5xx or a network error
 * only an idempotent one, and none after a time-out, since its caller has waited long enough. Honours `Retry-After`, else uses exponential back-off with full jitter.
 */
export function retryWaitMs({ isRepeatable, attempt, result, limit = null, random }: RetryQuestion): number | null {
  const step = Math.min(maxStepMs, firstStepMs * 2 ** (attempt - 1));
  const backoffMs = Math.round(random * step);
  if (result.kind === 'error') {
    return isRepeatable && result.reason === 'network' ? backoffMs : null;
  }
  if (result.status === 429 || limit !== null) {
    return retryAfterMs(result.headers, Date.now()) ?? limit?.retryAfterMs ?? backoffMs;
  }
  if (result.status < 500 || result.status === 501 || !isRepeatable) return null;
  return retryAfterMs(result.headers, Date.now()) ?? backoffMs;
}

/** Whether the server may have acted on a request that is to be repeated. 503 says that it did not. */
export function mayHaveActed(result: HttpAnswer | HttpStream | HttpError): boolean {
  return result.kind === 'error' ? result.sent === 'unknown' : result.status >= 500 && result.status !== 503;
}

/**
 * Parses `Retry-After`, seconds or a date (RFC 9110 §10.2.3), to milliseconds from `now` (Unix ms); null when there is
 * none.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  // Date.parse accepts almost anything; an HTTP date starts with a weekday.
  const at = /^[A-Z][a-z]{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
