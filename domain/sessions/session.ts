import { guestUserId, type User } from '#domain/users/user.ts';

/**
 * The content of a session cookie or bearer token. `issuedAt` is Unix ms. `sessionId` names the stored session of a
 * person (domain/sessions/person-session.ts); absent in the guest's cookie and in those from before sessions were
 * stored. `grantId` names the stored grant of an access token; absent in tokens issued before grants were stored.
 * `scope` is a client's grant (domain/oauth/grant.ts); absent for full access. `audience` is the base URL of the server
 * that the text is for; absent when it names none.
 */
export type Session = Readonly<{
  userId: number;
  issuedAt: number;
  sessionId?: string;
  scope?: string;
  grantId?: string;
  audience?: string;
}>;

/** Who is behind a session: a person who signed in, an app that acts for a user, or the guest. */
export type Principal = 'person' | 'app' | 'guest';

/** The lifetime of a session, in seconds: 30 days (SESS-001, SESS-004). */
export const sessionLifetimeS = 2_592_000;

/** How far in the future a session may have been issued, in ms: a clock may be set back by an hour (SESS-024). */
const maxAheadMs = 3_600_000;

/** Whether the session is within its 30 days at `now` (Unix ms), and not issued an hour or more in the future. */
export function isCurrent(session: Session, now: number): boolean {
  const ageMs = now - session.issuedAt;
  return ageMs < sessionLifetimeS * 1000 && ageMs > -maxAheadMs;
}

/** Returns when a new session of the user is issued: now, but never before they last signed out everywhere. */
export function issuedFor({ signedOutBefore }: Pick<User, 'signedOutBefore'>, now: number): number {
  return Math.max(now, signedOutBefore ?? 0);
}

/** How long cookies from before sessions were stored count as persons' after the upgrade, in ms: 7 days (SESS-023). */
export const formerCookiesCountForMs = 7 * 86_400_000;

/** What decides who is behind a session besides its content; `countsFormer` is whether cookies from before sessions were stored do. */
type SessionUse = Readonly<{ sentAs: 'bearer' | 'cookie'; countsFormer: boolean }>;

/**
 * Returns who is behind a valid session, whose stored session, if it names one, is open. It is a person's only if it
 * was begun by signing in, and is sent as a browser sends it: as a cookie. Everything else is an app's, or the guest's
 * (SESS-020).
 */
export function principalOf(session: Session, { sentAs, countsFormer }: SessionUse): Principal {
  if (session.userId === guestUserId) return 'guest';
  const isPersons = session.sessionId !== undefined || (countsFormer && isFormerCookie(session));
  return sentAs === 'cookie' && isPersons ? 'person' : 'app';
}

/** Whether the session may be a cookie from before sessions were stored; so may a token from before grants were. */
function isFormerCookie({ grantId, scope }: Session): boolean {
  return grantId === undefined && scope === undefined;
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
