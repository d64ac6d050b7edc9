import { credentialsOf } from '#adapters/http/middleware/credentials.ts';
import { prefersJson, prefersProblem, refuse } from '#adapters/http/middleware/refuse.ts';
import { messagePage } from '#adapters/http/pages/message-page.ts';
import { sendPage } from '#adapters/http/pages/send-page.ts';
import { type RouteContext, rememberUser, requestIdOf } from '#adapters/http/route.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Caller, IdentifyCaller, IdentifyFailure } from '#application/session/identify-caller.ts';
import { howToWiden } from '#domain/operations/refusal.ts';
import { guestUserId, isLimited } from '#domain/users/user.ts';

const logIn = { href: '/login', text: 'Log in' };
const signInPage = messagePage({
  title: 'Authentication Required',
  text: 'This page is for people who are signed in.',
  link: logIn,
});
const invalidSessionPage = messagePage({
  title: 'Authentication Required',
  text: 'Invalid session. Please log in again.',
  link: logIn,
});

/** The authentication check of protected routes, and its answers (SESS-007 to SESS-009). */
export class Authentication {
  readonly #identifyCaller: IdentifyCaller;
  readonly #logger: Logger;
  readonly #metadataUrl: string | null;

  /** `metadataUrl` is the address of the RFC 9728 metadata; null when metadata is switched off. */
  constructor(identifyCaller: IdentifyCaller, logger: Logger, metadataUrl: string | null) {
    this.#identifyCaller = identifyCaller;
    this.#logger = logger;
    this.#metadataUrl = metadataUrl;
  }

  /** Notes the user for the handler; false when the request was answered with 401. */
  async settle(ctx: RouteContext): Promise<boolean> {
    const identified = await this.#identifyCaller.run(credentialsOf(ctx.req.headers));
    if (identified.ok) {
      this.#logger.debug({ requestId: requestIdOf(ctx), userId: identified.value.user.id }, 'Session accepted');
      rememberUser(ctx, identified.value.user);
      return true;
    }
    this.#refuse(ctx, identified.failure.reason);
    return false;
  }

  #refuse(ctx: RouteContext, reason: IdentifyFailure['reason']): void {
    const isInvalid = reason === 'invalid_session';
    if (isInvalid) {
      this.#logger.warn({ requestId: requestIdOf(ctx), path: ctx.path }, 'Invalid session');
    }
    ctx.vary('Accept');
    if (isFrontDoor(ctx)) {
      ctx.status = 303;
      ctx.set('Location', logIn.href);
      ctx.body = '';
      return;
    }
    ctx.set('WWW-Authenticate', this.#challenge(ctx.path, isInvalid));
    if (prefersProblem(ctx)) {
      const [error, description] = isInvalid
        ? ['invalid_token', 'Invalid session. Please log in again.']
        : ['unauthorized', 'Authentication Required'];
      refuse(ctx, { status: 401, error, description });
      return;
    }
    if (!prefersJson(ctx)) {
      sendPage(ctx, 401, isInvalid ? invalidSessionPage : signInPage);
      return;
    }
    ctx.status = 401;
    ctx.body = isInvalid
      ? { error: 'invalid_token', error_description: 'Invalid session. Please log in again.' }
      : { error: 'unauthorized', error_description: 'Authentication Required' };
  }

  /** RFC 6750 §3; with metadata on, where to learn how to get a token (RFC 9728 §5.1). */
  #challenge(path: string, isInvalid: boolean): string {
    const fault = isInvalid ? ', error="invalid_token", error_description="Invalid session. Please log in again."' : '';
    if (this.#metadataUrl === null) return `Bearer realm="portolan"${fault}`;
    const suffix = path === '/message' || path === '/sse' ? path : '';
    return `Bearer realm="portolan"${fault}, resource_metadata="${this.#metadataUrl}${suffix}"`;
  }
}

/** Whether somebody opens the server's bare address in a browser: they are led to sign in. Programs get their 401 there too. */
function isFrontDoor(ctx: RouteContext): boolean {
  return ctx.path === '/' && (ctx.method === 'GET' || ctx.method === 'HEAD') && !prefersJson(ctx);
}

/** Refuses an access token that does not mean everything, where that is needed (RFC 6750 §3.1). */
export function refuseLimited(ctx: RouteContext): void {
  ctx.set('WWW-Authenticate', 'Bearer realm="portolan", error="insufficient_scope"');
  const description = `This app was given a part of what its user may do, and this is not in it. A browser in which the user is signed in can do it; or ${howToWiden} and leave everything ticked.`;
  refuse(ctx, { status: 403, error: 'insufficient_scope', description });
}

/**
 * Who is signed in by a cookie, as `findSignedIn` tells; for the pages on which sessions and codes are made. A bearer token counts
 * for nothing there: what it would get would outlive it.
 */
export async function findInBrowser(ctx: RouteContext, identifyCaller: IdentifyCaller): Promise<Caller | null> {
  return credentialsOf(ctx.req.headers).bearer === null ? findSignedIn(ctx, identifyCaller) : null;
}

/**
 * Who is signed in, for the public pages: null for nobody, for a session that does not count, for the guest, and for an access
 * token that does not mean everything.
 */
export async function findSignedIn(ctx: RouteContext, identifyCaller: IdentifyCaller): Promise<Caller | null> {
  const identified = await identifyCaller.run(credentialsOf(ctx.req.headers));
  if (!identified.ok) return null;
  const { user } = identified.value;
  return user.id === guestUserId || isLimited(user) ? null : identified.value;
}
