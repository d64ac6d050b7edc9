import { prefersJson, prefersProblem, refuse } from '#adapters/http/answers/refuse.ts';
import { callerOf, credentialsOf, signInPath } from '#adapters/http/middleware/authentication.ts';
import type { Route } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Caller } from '#application/session/identify-caller.ts';
import { howToWiden, isLimited } from '#domain/users/rights.ts';

const forPeople = 'This requires a user who is signed in with a browser; apps cannot use it.';
const forFullAccess = `This app was granted only part of what its user may do, and this is not included. The user can do it in a browser, or give the app full access to everything: ${howToWiden}.`;
const forAdministrators = 'This requires an administrator.';

/** The step that decides whether an authenticated caller may use a route (SESS-020); none where everybody may. */
export function admission({ who, permission }: Pick<Route, 'who' | 'permission'>): readonly PipelineStep[] {
  if (who === 'granted' && permission === undefined) return [];
  const admit: PipelineStep = (ctx, next) => {
    const caller = callerOf(ctx);
    if (who === 'person' && caller.by !== 'person') return refuseApp(ctx, caller);
    if (who === 'person-or-app' && isLimited(caller.user)) return refuseLimited(ctx, forFullAccess);
    if (permission === 'administrator' && !caller.user.isAdmin) return refuseAs(ctx, forAdministrators);
    return next();
  };
  return [admit];
}

/** Rejects a caller who is no person; a browser that has an app's token as its cookie is sent to sign in. */
function refuseApp(ctx: Visit, { by, user }: Caller): void {
  if (by === 'app' && isNavigation(ctx)) {
    ctx.vary('Accept');
    ctx.status = 303;
    ctx.set('Location', signInPath);
    ctx.body = '';
  } else if (isLimited(user)) refuseLimited(ctx, forPeople);
  else refuseAs(ctx, forPeople);
}

/** Rejects an access token with limited scope (RFC 6750 §3.1). */
function refuseLimited(ctx: Visit, description: string): void {
  ctx.set('WWW-Authenticate', 'Bearer realm="portolan", error="insufficient_scope"');
  refuse(ctx, { status: 403, error: 'insufficient_scope', description });
}

function refuseAs(ctx: Visit, description: string): void {
  refuse(ctx, { status: 403, error: 'forbidden', description });
}

/** Whether a browser opens an address with its cookie. */
function isNavigation(ctx: Visit): boolean {
  const isReading = ctx.method === 'GET' || ctx.method === 'HEAD';
  return isReading && credentialsOf(ctx.req.headers).bearer === null && !prefersJson(ctx) && !prefersProblem(ctx);
}
