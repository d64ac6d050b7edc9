import { describe, expect, it } from 'vitest';
import { deliveryIdOf } from '#domain/webhooks/delivery.ts';
import { isGivenUp, retryDelayMs } from '#domain/webhooks/retry-delay.ts';

describe('the wait before the next attempt', () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [3, 4000],
    [7, 64_000],
    [8, 120_000],
    [400, 120_000],
  ])('is at most, after %i attempts, %i ms (INBOX-003)', (attempts, boundMs) => {
    expect(retryDelayMs(attempts, 0)).toBe(0);
    expect(retryDelayMs(attempts, 0.5)).toBe(boundMs / 2);
    expect(retryDelayMs(attempts, 0.999_999_999)).toBe(boundMs);
  });
});

describe('an entry', () => {
  it('is given up when it has been failing for 24 hours, and not a moment before (INBOX-003)', () => {
    expect(isGivenUp(null, Number.MAX_SAFE_INTEGER)).toBe(false);
    expect(isGivenUp(1000, 86_400_999)).toBe(false);
    expect(isGivenUp(1000, 86_401_000)).toBe(true);
  });
});

describe('a delivery’s id', () => {
  it('is the sender’s own, unless it is missing or malformed', () => {
    const body = Buffer.from('{}');
    const digest = 'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    expect(deliveryIdOf('9b8c-1', body)).toBe('9b8c-1');
    for (const strange of [null, 'a b', 'x'.repeat(201), 'é', 'a\n']) expect(deliveryIdOf(strange, body)).toBe(digest);
  });
});
