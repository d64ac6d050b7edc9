import { findSignedIn } from '#adapters/http/middleware/authentication.ts';
import { setSessionCookie } from '#adapters/http/middleware/credentials.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import type { StartSession } from '#application/session/start-session.ts';

/** GET /set: sets the session cookie, a signed-in caller's own or the guest's. */
export function setRoutes({
  startSession,
  identifyCaller,
}: Readonly<{ startSession: StartSession; identifyCaller: IdentifyCaller }>): Route[] {
  const run = async (ctx: RouteContext): Promise<void> => {
    const caller = await findSignedIn(ctx, identifyCaller);
    setSessionCookie(ctx, await startSession.run(caller?.user ?? null));
    ctx.status = 200;
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = 'The session cookie is set.\n';
  };
  return [{ method: 'GET', path: '/set', access: 'public', body: 'none', run }];
}
