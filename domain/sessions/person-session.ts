import { hash } from 'node:crypto';
import { sessionLifetimeS } from '#domain/sessions/session.ts';

/**
 * The stored session of a person who signed in. It has ended once it is no longer stored or `expiresAt` has passed.
 * Times are Unix ms.
 */
export type PersonSession = Readonly<{
  /** A digest of the id in the cookie (`storedIdOf`). */
  id: string;
  userId: number;
  /** How it was begun: `login` by a password, `welcome` by a password link, `oidc` by the identity provider, `link` by a sign-in link. */
  begunBy: string;
  /** When the person signed in. */
  begunAt: number;
  expiresAt: number;
  /** What the browser says it is, cut to a bound; null when it does not say. */
  userAgent: string | null;
  /** When a request last used it, to the minute; null or absent when none has since it was begun. */
  lastSeenAt?: number | null;
}>;

/** The length of a session's id in random bytes. */
export const sessionIdBytes = 18;

/** The maximum stored length of a browser's `User-Agent`, in characters. */
const maxUserAgentLength = 200;

/** Returns the id under which a session is stored, from the one in its cookie. */
export function storedIdOf(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url');
}

/** How long a session lives that was begun without a password, in seconds: 12 hours, and no renewal makes it longer (SESS-028). */
export const shortLifetimeS = 43_200;

const shortLived: readonly string[] = ['oidc', 'link'];

/** Returns the end of a session that is begun or renewed at `now`: both are one time while it is begun. */
export function sessionEndsAt({ begunBy, begunAt }: Pick<PersonSession, 'begunBy' | 'begunAt'>, now: number): number {
  return shortLived.includes(begunBy) ? begunAt + shortLifetimeS * 1000 : now + sessionLifetimeS * 1000;
}

/** Whether a stored session is the user's, and has not expired at `now`. */
export function isOpen({ userId, expiresAt }: PersonSession, ofUser: number, now: number): boolean {
  return userId === ofUser && now < expiresAt;
}

/** Returns a `User-Agent` header as it is stored: printable ASCII, and short; null without one. */
export function shownUserAgent(header: string): string | null {
  const text = header.replaceAll(/[^ -~]/g, '').trim();
  return text === '' ? null : text.slice(0, maxUserAgentLength);
}
