import { describe, expect, it } from 'vitest';
import { retryAfterMs, retryWaitMs } from '#infrastructure/http/retry.ts';

const answered = (status: number, headers: Record<string, string> = {}) =>
  ({ kind: 'answer', status, headers, body: new Uint8Array() }) as const;
const broken = { kind: 'error', reason: 'network', message: '', sent: 'unknown' } as const;
const wait = (isRepeatable: boolean, result: ReturnType<typeof answered> | typeof broken, attempt = 1) =>
  retryWaitMs({ isRepeatable, attempt, result, random: 1 });

describe('a request is retried', () => {
  it.each([true, false])('after 429, whether it can be repeated or not: %s (OP-003)', (isRepeatable) => {
    expect(wait(isRepeatable, answered(429))).toBe(500);
  });

  it('after a limit that is reported by another status than 429, when the server or the backoff says', () => {
    const waitFor = (retryAfterMs: number | null, headers: Record<string, string> = {}) =>
      retryWaitMs({
        isRepeatable: false,
        attempt: 1,
        result: answered(200, headers),
        limit: { retryAfterMs },
        random: 1,
      });
    expect([waitFor(null), waitFor(7_000), waitFor(7_000, { 'retry-after': '3' })]).toEqual([500, 7_000, 3_000]);
  });

  it('not before Retry-After, if the provider sends it (OP-003)', () => {
    expect(wait(false, answered(429, { 'retry-after': '7' }))).toBe(7000);
  });

  it('after 5xx and network errors, if repeating changes nothing', () => {
    expect(wait(true, answered(503))).toBe(500);
    expect(wait(true, broken)).toBe(500);
  });

  it('never after 5xx or network errors, if it may have changed something (OP-004)', () => {
    expect(wait(false, answered(503))).toBeNull();
    expect(wait(false, broken)).toBeNull();
  });

  it('never after a time-out, whose caller has waited long enough (OP-019)', () => {
    const late = { ...broken, reason: 'timeout' } as const;
    expect(retryWaitMs({ isRepeatable: true, attempt: 1, result: late, random: 1 })).toBeNull();
  });

  it.each([200, 204, 301, 400, 401, 403, 404, 409, 410, 501])('never after %i', (status) => {
    expect(wait(true, answered(status))).toBeNull();
  });

  it('later each time, after up to 20 s, with full jitter (OP-003)', () => {
    expect([1, 2, 3, 4, 9].map((attempt) => wait(true, broken, attempt))).toEqual([500, 1000, 2000, 4000, 20_000]);
    expect(retryWaitMs({ isRepeatable: true, attempt: 3, result: broken, random: 0 })).toBe(0);
  });
});

describe('a Retry-After header (RFC 9110 §10.2.3)', () => {
  it('may be in seconds', () => expect(retryAfterMs({ 'retry-after': '120' }, 0)).toBe(120_000));
  it('may be a date', () =>
    expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT' }, 2_000)).toBe(3_000));
  it('in the past means now', () =>
    expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT' }, 9_000)).toBe(0));
  it.each(['', 'soon', '-1'])('is ignored if it is %j', (value) =>
    expect(retryAfterMs({ 'retry-after': value }, 0)).toBeNull(),
  );
});
