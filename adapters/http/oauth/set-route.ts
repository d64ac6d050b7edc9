import { credentialsOf } from '#adapters/http/middleware/authentication.ts';
import { setSessionCookie } from '#adapters/http/requests/session-cookie.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import type { RenewSession } from '#application/session/renew-session.ts';

/**
 * Serves GET /set: sets the session cookie, for the session that the request's cookie names, else the guest's. A
 * request with a bearer token gets none (SESS-014).
 */
export function setRoutes({
  renewSession,
  identifyCaller,
}: Readonly<{ renewSession: RenewSession; identifyCaller: IdentifyCaller }>): Route[] {
  const run = async (ctx: RouteContext): Promise<void> => {
    ctx.status = 200;
    ctx.type = 'text/plain; charset=utf-8';
    if (ctx.get('Authorization') !== '') {
      ctx.body = 'No cookie is set: a request with a token needs none.\n';
      return;
    }
    const identified = await identifyCaller.run(credentialsOf(ctx.req.headers));
    setSessionCookie(ctx, await renewSession.run(identified.ok ? identified.value : null));
    ctx.body = 'The session cookie is set.\n';
  };
  return [{ method: 'GET', path: '/set', who: 'public', body: 'none', run }];
}
