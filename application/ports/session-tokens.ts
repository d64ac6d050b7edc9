import type { Session } from '#domain/sessions/session.ts';

/** Sessions as sealed text: the value of the cookie `user` and of a bearer token, which are the same thing. */
export interface SessionTokens {
  /** The session, sealed under the current key. */
  seal(session: Session): Promise<string>;
  /** The session, or null for whatever was not sealed by us. Never throws. Its age is for the caller to judge. */
  open(token: string): Promise<Session | null>;
}
