import type { RateLimitName } from '#domain/limits/rate-limit-rules.ts';
import type { Result } from '#domain/shared/result.ts';

/** The limit was exceeded: the time to wait, in whole seconds, at least 1. */
export type RateLimited = Readonly<{ reason: 'rate_limited'; retryAfterS: number }>;

/** Counts by key, each key with its own window. */
export interface RateLimits {
  /** Takes a point; `rate_limited` when none is left in the window. */
  take(limit: RateLimitName, key: string): Promise<Result<null, RateLimited>>;
  /** Gives a point back. */
  giveBack(limit: RateLimitName, key: string): Promise<void>;
  /** Restarts the key's window, with all points. */
  forget(limit: RateLimitName, key: string): Promise<void>;
}
