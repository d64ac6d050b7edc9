/** Hashes and verifies passwords. */
export interface Passwords {
  /** Returns a PHC string of the Argon2id hash with its own salt. */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password against a hash. A null hash (no such user) or an unreadable one is false, and takes as long.
   */
  verify(hash: string | null, password: string): Promise<boolean>;
}
