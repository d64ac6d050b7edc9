import { guestUserId, type User } from '#domain/users/user.ts';

/**
 * What a cookie or bearer token says: who, and since when. `issuedAt` is Unix ms. `scope` is what a client was granted
 * (domain/oauth/grant.ts); only there when it is not everything.
 */
export type Session = Readonly<{ userId: number; issuedAt: number; scope?: string }>;

/** How long a session lives, in seconds: 30 days (SESS-001, SESS-004). */
export const sessionLifetimeS = 2_592_000;

/** Whether the session is within its 30 days at `now` (Unix ms). A session from the future is not. */
export function isCurrent(session: Session, now: number): boolean {
  const ageMs = now - session.issuedAt;
  return ageMs < sessionLifetimeS * 1000 && ageMs > -60_000;
}

/** Whether the session still speaks for the user: the same id, and not signed out everywhere since. */
export function speaksFor(session: Session, user: User): boolean {
  if (session.userId !== user.id) return false;
  return user.id === guestUserId || user.signedOutBefore === null || session.issuedAt >= user.signedOutBefore;
}
