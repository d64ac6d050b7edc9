import { describe, expect, it } from 'vitest';
import { rateLimitsWithFallback } from '#adapters/stores/rate-limits-with-fallback.ts';
import type { RateLimits } from '#application/ports/rate-limits.ts';
import { rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';

describe('rate limits while the database is unavailable', () => {
  it('are counted in memory, and apply to everybody (AUTH-030)', async () => {
    const down = async (): Promise<never> => {
      throw new DatabaseUnavailable('unreachable', new Error('gone'));
    };
    const limits = rateLimitsWithFallback(
      { take: down, giveBack: down, forget: down },
      new MemoryRateLimits(rateLimitRules),
    );
    const answers = [];
    for (let index = 0; index < 12; index += 1) answers.push(await limits.take('login_email', 'a'));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    await limits.forget('login_email', 'a');
    expect(await limits.take('login_email', 'a')).toEqual({ ok: true, value: null });
  });

  it('pass on an error that does not concern the availability of the database', async () => {
    const broken: RateLimits = {
      take: async () => {
        throw new TypeError('a bug');
      },
      giveBack: async () => undefined,
      forget: async () => undefined,
    };
    const limits = rateLimitsWithFallback(broken, new MemoryRateLimits(rateLimitRules));
    await expect(limits.take('login_email', 'a')).rejects.toThrow('a bug');
  });
});
