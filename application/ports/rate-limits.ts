import type { Result } from '#domain/shared/result.ts';

/** The server's own limits (REG-015, TOKEN-014, AUTH-020): the `points` that a key may take in `durationS` seconds. */
export const rateLimitRules = {
  /** Registrations by one address. */
  register: { points: 60, durationS: 60 },
  /** Token exchanges by one address. */
  token: { points: 600, durationS: 60 },
  /** Failed logins for one e-mail from one address: the owner, at another address, is not locked out. */
  login_email: { points: 10, durationS: 900 },
  /** Failed logins from one address. */
  login_address: { points: 100, durationS: 900 },
} as const;

/** The name of a limit. */
export type RateLimitName = keyof typeof rateLimitRules;

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
