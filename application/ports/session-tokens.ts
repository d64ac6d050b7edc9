import type { Session } from '#domain/sessions/session.ts';

/** Encrypts sessions as text: the value of the cookie `user` and of a bearer token, which are the same thing. */
export interface SessionTokens {
  /** Encrypts the session under the current key. */
  seal(session: Session): Promise<string>;
  /**
   * Decrypts a session, or returns null for a text that this server did not encrypt. Never throws. The caller checks
   * its age.
   */
  open(token: string): Promise<Session | null>;
}
