import { guestUserId, type User } from '#domain/users/user.ts';

/**
 * The content of a session cookie or bearer token. `issuedAt` is Unix ms. `scope` is a client's grant
 * (domain/oauth/grant.ts); absent for full access. `grantId` names the stored grant of an access token; absent in
 * cookies, and in tokens issued before grants were stored. `audience` is the base URL of the server that a token is
 * for; absent when the token names none.
 */
export type Session = Readonly<{
  userId: number;
  issuedAt: number;
  scope?: string;
  grantId?: string;
  audience?: string;
}>;

/** Who is behind a session: a person who signed in, an app that acts for a user, or the guest. */
export type Principal = 'person' | 'app' | 'guest';

/** The lifetime of a session, in seconds: 30 days (SESS-001, SESS-004). */
export const sessionLifetimeS = 2_592_000;

/**
 * Whether the session is within its 30 days at `now` (Unix ms). A session issued more than a minute in the future is
 * invalid.
 */
export function isCurrent(session: Session, now: number): boolean {
  const ageMs = now - session.issuedAt;
  return ageMs < sessionLifetimeS * 1000 && ageMs > -60_000;
}

/**
 * Returns who is behind a valid session. A person signs in with a browser, so only a cookie can be theirs; whatever
 * comes as a bearer token, names a grant or is limited by a scope is an app's (SESS-020).
 */
export function principalOf({ userId, grantId, scope }: Session, sentAs: 'bearer' | 'cookie'): Principal {
  if (userId === guestUserId) return 'guest';
  return sentAs === 'cookie' && grantId === undefined && scope === undefined ? 'person' : 'app';
}

/** Whether the session's audience is this server, or absent. */
export function isMeantFor({ audience }: Session, baseUrl: string): boolean {
  return audience === undefined || audience === baseUrl;
}

/**
 * Whether the session is valid for the user: the same id, active, and issued after the user last signed out everywhere.
 */
export function isValidFor(session: Session, user: User): boolean {
  if (session.userId !== user.id || !isActive(user)) return false;
  return user.id === guestUserId || user.signedOutBefore === null || session.issuedAt >= user.signedOutBefore;
}

/** Whether the user has not been deactivated. */
export function isActive({ deactivatedAt = null }: Pick<User, 'deactivatedAt'>): boolean {
  return deactivatedAt === null;
}
