import type { Session } from '#domain/sessions/session.ts';

/** Encrypts sessions as text: the same value serves as the cookie `user` and as a bearer token. */
export interface SessionTokens {
  /** Encrypts the session under the current key. */
  seal(session: Session): Promise<string>;
  /**
   * Decrypts a session; returns null for a text that this server did not encrypt. Never throws. Checking its age is up
   * to the caller.
   */
  open(token: string): Promise<Session | null>;
}
