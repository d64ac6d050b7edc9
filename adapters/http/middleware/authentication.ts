import type { IncomingHttpHeaders } from 'node:http';
import { prefersJson, prefersProblem, refuse } from '#adapters/http/answers/refuse.ts';
import { showMessage } from '#adapters/http/answers/show-page.ts';
import { requestIdOf } from '#adapters/http/middleware/every-answer.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Caller, IdentifyCaller, PresentedCredentials } from '#application/session/identify-caller.ts';
import type { User } from '#domain/users/user.ts';

/** The address of the sign-in page. */
export const signInPath = '/login';

const logIn = { href: signInPath, text: 'Log in' };
const title = 'Authentication Required';
const signIn = { title, text: 'Sign in to see this page.', link: logIn };
const signInAgain = { title, text: 'Invalid session. Please log in again.', link: logIn };

/**
 * The dependencies of authentication; `metadataUrlOf` returns the address of the RFC 9728 metadata of the resource at a
 * path, and is null when metadata is off.
 */
type AuthenticationDependencies = Readonly<{
  identifyCaller: IdentifyCaller;
  logger: Logger;
  metadataUrlOf: ((path: string) => string) | null;
}>;

/** Authenticates requests, and stores the caller for `callerOf` and `userOf`; answers requests without a known user with 401 (SESS-007 to SESS-009). */
export function authentication({ identifyCaller, logger, metadataUrlOf }: AuthenticationDependencies): PipelineStep {
  const authenticate: PipelineStep = async (ctx, next) => {
    const requestId = requestIdOf(ctx);
    const identified = await identifyCaller.run(credentialsOf(ctx.req.headers));
    if (identified.ok) {
      logger.debug({ requestId, userId: identified.value.user.id }, 'Session accepted');
      rememberCaller(ctx, identified.value);
      return next();
    }
    const isInvalid = identified.failure.reason === 'invalid_session';
    if (isInvalid) logger.warn({ requestId, path: ctx.path }, 'Invalid session');
    return refuseUnknownCaller(ctx, isInvalid, metadataUrlOf?.(ctx.path) ?? null);
  };
  return authenticate;
}

/**
 * Finds the person who is signed in, for `visitorOf`. Only a browser's cookie counts: what a page created for the
 * bearer of a token would outlive it.
 */
export function visitorFinder(identifyCaller: IdentifyCaller): PipelineStep {
  const findVisitor: PipelineStep = async (ctx, next) => {
    const { bearer, cookie } = credentialsOf(ctx.req.headers);
    const identified = bearer === null && cookie !== null ? await identifyCaller.run({ bearer, cookie }) : null;
    ctx.state.visitor = identified?.ok === true && identified.value.by === 'person' ? identified.value : null;
    return next();
  };
  return findVisitor;
}

/** Stores the authenticated caller; `callerOf` and `userOf` return it. */
export function rememberCaller({ state }: Visit, caller: Caller): void {
  state.caller = caller;
}

/** The caller of a route that is neither public nor for visitors. Throws on those: that is a bug, not a rejection. */
export function callerOf({ state, path }: Visit): Caller {
  if (state.caller === undefined) throw new Error(`No caller on ${path}: is the route public?`);
  return state.caller;
}

/** The user of such a route, restricted to what the caller may do. */
export function userOf(visit: Visit): User {
  return callerOf(visit).user;
}

/** The person who is signed in, on a route for visitors; null for anybody else. */
export function visitorOf({ state, path }: Visit): Caller | null {
  if (state.visitor === undefined) throw new Error(`No visitor on ${path}: is the route for visitors?`);
  return state.visitor;
}

const sessionCookie = /(?:^|;) *user=([^;]*)/;

/** Reads the request's credentials. When there is a bearer token, the cookie is ignored. */
export function credentialsOf({ authorization, cookie }: IncomingHttpHeaders): PresentedCredentials {
  if (authorization !== undefined && /^bearer(?:\s|$)/i.test(authorization)) {
    return { bearer: authorization.slice(7).trim(), cookie: null };
  }
  return { bearer: null, cookie: cookie === undefined ? null : sessionValue(cookie) };
}

/**
 * The session cookie's value, null when there is none. Two different values count as an invalid session: a sibling site
 * or a plain-text connection can plant a cookie beside ours, and the server cannot tell which is the user's (RFC 6265
 * §8.6).
 */
function sessionValue(header: string): string | null {
  const first = sessionCookie.exec(header);
  if (first === null) return null;
  const second = sessionCookie.exec(header.slice(first.index + first[0].length));
  return second === null || second[1] === first[1] ? (first[1] ?? '').trim() : '';
}

function refuseUnknownCaller(ctx: Visit, isInvalid: boolean, metadataUrl: string | null): void {
  ctx.vary('Accept');
  if (isBrowserAtRoot(ctx)) {
    ctx.status = 303;
    ctx.set('Location', logIn.href);
    ctx.body = '';
    return;
  }
  ctx.set('WWW-Authenticate', challenge(isInvalid, metadataUrl));
  const [error, description] = isInvalid
    ? (['invalid_token', 'Invalid session. Please log in again.'] as const)
    : (['unauthorized', 'Authentication Required'] as const);
  if (prefersProblem(ctx)) {
    refuse(ctx, { status: 401, error, description });
  } else if (!prefersJson(ctx)) {
    showMessage(ctx, 401, isInvalid ? signInAgain : signIn);
  } else {
    ctx.status = 401;
    ctx.body = { error, error_description: description };
  }
}

/**
 * Builds the WWW-Authenticate header (RFC 6750 §3); with metadata on, it includes the address that explains how to get
 * a token (RFC 9728 §5.1).
 */
function challenge(isInvalid: boolean, metadataUrl: string | null): string {
  const error = isInvalid ? ', error="invalid_token", error_description="Invalid session. Please log in again."' : '';
  if (metadataUrl === null) return `Bearer realm="portolan"${error}`;
  return `Bearer realm="portolan"${error}, resource_metadata="${metadataUrl}"`;
}

/** Whether a browser opens the server's root, which redirects to sign-in. Programs get 401 there too. */
function isBrowserAtRoot(ctx: Visit): boolean {
  return ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD') && !prefersJson(ctx);
}
