/** Passwords at rest. */
export interface Passwords {
  /** A PHC string of the Argon2id hash with a salt of its own. */
  hash(password: string): Promise<string>;
  /** Whether the password made the hash. A null hash (no such user) or one that cannot be read is false, and takes as long. */
  verify(hash: string | null, password: string): Promise<boolean>;
}
