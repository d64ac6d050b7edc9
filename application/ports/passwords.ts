import type { Result } from '#domain/shared/result.ts';

/** So many passwords wait to be verified that another one is refused; `retryAfterS` is how long those take, in s. */
export type PasswordsBusy = Readonly<{ reason: 'busy'; retryAfterS: number }>;

/** Hashes and verifies passwords. */
export interface Passwords {
  /** Returns a PHC string of the Argon2id hash with a random salt. */
  hash(password: string): Promise<string>;
  /** Verifies a password against a hash. A null (no such user) or unreadable hash returns false in the same time. */
  verify(hash: string | null, password: string): Promise<Result<boolean, PasswordsBusy>>;
}
