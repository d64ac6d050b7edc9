import type { RateLimitName } from '#domain/limits/rate-limit-rules.ts';
import type { Result } from '#domain/shared/result.ts';

/** The limit was exceeded; `retryAfterS` is the time to wait in whole seconds, at least 1. */
export type RateLimited = Readonly<{ reason: 'rate_limited'; retryAfterS: number }>;

/** Limits rates by key, each key with its own window. */
export interface RateLimits {
  /** Takes a point; fails with `rate_limited` when none is left in the window. */
  take(limit: RateLimitName, key: string): Promise<Result<null, RateLimited>>;
  /** Returns a point that was taken. */
  giveBack(limit: RateLimitName, key: string): Promise<void>;
  /** Resets the key's window. */
  forget(limit: RateLimitName, key: string): Promise<void>;
}
