import type { RateLimits } from '#application/ports/rate-limits.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/**
 * Counts by the first, and while its database cannot be used by the second, which is in memory: an outage lifts no limit,
 * and each server then counts by itself.
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
