import type { RouteContext } from '#adapters/http/route.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';

/** The session cookie (SESS-001). */
const sessionCookieName = 'user';

/** The flags of each cookie that this server sets. */
export const cookieFlags = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/**
 * Sets the session cookie, for 30 days if not said otherwise. Written by hand, since Koa rejects `Secure` on a connection that it takes for plain text:
 * browsers accept such a cookie on loopback too, and elsewhere a proxy terminates TLS.
 */
export function setSessionCookie(ctx: RouteContext, token: string, lifetimeS: number = sessionLifetimeS): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=${token}; Max-Age=${lifetimeS}; ${cookieFlags}`);
}

/** Deletes the session cookie in the browser. */
export function clearSessionCookie(ctx: RouteContext): void {
  ctx.append('Set-Cookie', `${sessionCookieName}=; Max-Age=0; ${cookieFlags}`);
}
