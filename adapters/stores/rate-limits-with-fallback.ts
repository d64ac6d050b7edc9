import type { RateLimits } from '#application/ports/rate-limits.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/**
 * Counts in the first store, and while its database is unavailable in the second, which is in memory: an outage lifts
 * no limit, but each server then counts on its own.
 */
export function rateLimitsWithFallback(first: RateLimits, second: RateLimits): RateLimits {
  const either = async <Answer>(ask: (limits: RateLimits) => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask(first);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return ask(second);
      throw error;
    }
  };
  return {
    take: (limit, key) => either((limits) => limits.take(limit, key)),
    giveBack: (limit, key) => either((limits) => limits.giveBack(limit, key)),
    forget: (limit, key) => either((limits) => limits.forget(limit, key)),
  };
}
