import type { RouteContext } from '#adapters/http/route.ts';
import type { PresentedCredentials } from '#application/session/identify-caller.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';

/** The session cookie (contract, Session cookie). */
export const sessionCookieName = 'user';

const flags = `Path=/; Secure; HttpOnly; SameSite=Lax`;
const sessionCookie = /(?:^|;) *user=([^;]*)/;

/** What the request carries. The cookie is not looked at when there is a bearer token: that one decides alone. */
export function credentialsOf(ctx: RouteContext): PresentedCredentials {
  const { authorization, cookie } = ctx.req.headers;
  if (authorization !== undefined && /^bearer(?: |$)/i.test(authorization)) {
    return { bearer: authorization.slice(7).trim(), cookie: null };
  }
  const found = cookie === undefined ? null : sessionCookie.exec(cookie);
  return { bearer: null, cookie: found?.[1]?.trim() ?? null };
}

/**
 * Sets the session cookie. Written by hand, since Koa refuses `Secure` on a connection that it takes for plain: browsers
 * keep such a cookie on loopback too, and everywhere else there is TLS in front.
 */
export function setSessionCookie(ctx: RouteContext, token: string): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=${token}; Max-Age=${sessionLifetimeS}; ${flags}`);
}

/** Makes the browser forget the session cookie. */
export function clearSessionCookie(ctx: RouteContext): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=; Max-Age=0; ${flags}`);
}
