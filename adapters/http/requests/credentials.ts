import type { IncomingHttpHeaders } from 'node:http';
import type { RouteContext } from '#adapters/http/route.ts';
import type { PresentedCredentials } from '#application/session/identify-caller.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';

/** The session cookie (SESS-001). */
export const sessionCookieName = 'user';

const flags = `Path=/; Secure; HttpOnly; SameSite=Lax`;
const sessionCookie = /(?:^|;) *user=([^;]*)/;

/** Reads the request's credentials. A bearer token decides alone: the cookie is ignored beside it. */
export function credentialsOf({ authorization, cookie }: IncomingHttpHeaders): PresentedCredentials {
  if (authorization !== undefined && /^bearer(?:\s|$)/i.test(authorization)) {
    return { bearer: authorization.slice(7).trim(), cookie: null };
  }
  return { bearer: null, cookie: cookie === undefined ? null : sessionValue(cookie) };
}

/**
 * The cookie's value, null when there is none. Two different ones count as an invalid session: a sibling site or a plain
 * connection can plant a cookie beside ours, and the server cannot tell which of them is the user's (RFC 6265 §8.6).
 */
function sessionValue(header: string): string | null {
  const first = sessionCookie.exec(header);
  if (first === null) return null;
  const second = sessionCookie.exec(header.slice(first.index + first[0].length));
  return second === null || second[1] === first[1] ? (first[1] ?? '').trim() : '';
}

/**
 * Sets the session cookie. Written by hand, since Koa rejects `Secure` on a connection that it takes for plain: browsers
 * keep such a cookie on loopback too, and everywhere else there is TLS in front.
 */
export function setSessionCookie(ctx: RouteContext, token: string): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=${token}; Max-Age=${sessionLifetimeS}; ${flags}`);
}

/** Deletes the session cookie in the browser. */
export function clearSessionCookie(ctx: RouteContext): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=; Max-Age=0; ${flags}`);
}
