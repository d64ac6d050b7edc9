import type { IncomingMessage } from 'node:http';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { credentialsOf } from '#adapters/http/middleware/authentication.ts';
import { isOwnPage, isPageAtRoot } from '#adapters/http/requests/own-page.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/** Rejects an ambiguous request with 400, before anything else is read from it. */
export const refuseMalformed: PipelineStep = (ctx, next) => {
  const error = requestError(ctx.req);
  if (error === null) return next();
  refuse(ctx, { status: 400, error: 'invalid_request', description: error });
  return undefined;
};

/**
 * Describes what makes a request ambiguous; null when nothing does. Intermediaries read duplicate `Host` or
 * `Authorization` lines differently, so neither line is trusted. A target in absolute form is converted to origin form:
 * its host replaces the `Host` line's, which is ignored (RFC 9112 §3.2.2).
 */
function requestError(request: IncomingMessage): string | null {
  if (hasTwo(request.rawHeaders)) return 'A header that may occur only once occurs twice.';
  // Koa would take the first of a list.
  if (request.headers.host?.includes(',') === true) return 'The Host header names two hosts.';
  const target = request.url ?? '';
  if (target.startsWith('/')) return null;
  const error = targetError(request, target);
  // The response and the log need a path.
  if (error !== null) request.url = '/';
  return error;
}

/** Converts a target in absolute form to origin form; returns the error when it is invalid. */
function targetError(request: IncomingMessage, target: string): string | null {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(target)?.[1];
  if (authority === undefined || !URL.canParse(target)) return 'The request target is not a valid address.';
  // RFC 9110 §4.2.4: treat user information before an @ as an attempt to mislead.
  if (authority.includes('@') || target.includes('#')) return 'The request target has user info or a fragment.';
  const { host, pathname, search } = new URL(target);
  request.headers.host = host;
  request.url = `${pathname}${search}`;
  return null;
}

function hasTwo(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  return hosts > 1 || authorizations > 1;
}

/** The server's host names, and whether a proxy in front forwards the requested name. */
export type HostRules = Readonly<{ baseUrl: string; listensOnLoopback: boolean; trustProxy: boolean }>;

/**
 * The origins that may call: the server's own, the configured `allowedOrigins`, and while it listens on loopback those
 * of this machine (EDGE-001 to EDGE-004).
 */
export type OriginRules = Readonly<{
  baseUrl: string;
  listensOnLoopback: boolean;
  allowedOrigins: readonly string[];
}>;

const healthPaths = new Set(['/healthz', '/readyz']);
const corsPaths = new Set(['/message', '/mcp', '/sse', '/register', '/token']);
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, X-Portolan-Services, X-Portolan-Readonly, X-Portolan-Mode',
  'Access-Control-Max-Age': '600',
};
const exposedHeaders = 'WWW-Authenticate, Mcp-Session-Id, Retry-After';

/**
 * Whether the path may be called by any host name: webhooks are verified by signature, and health probes use IP
 * addresses.
 */
function isOpen(path: string): boolean {
  return path.startsWith('/webhooks/') || healthPaths.has(path);
}

/**
 * Rejects with 403 a request whose host name is not the server's (DNS rebinding). `trustProxy` trusts
 * `X-Forwarded-Host`.
 */
export function hostGuard(rules: HostRules): PipelineStep {
  const isHostOurs = ownHostTest(rules);
  const guardHost: PipelineStep = (ctx, next) => {
    if (isOpen(ctx.path) || hostsOf(ctx.req, rules.trustProxy).every(isHostOurs)) return next();
    return refuse(ctx, { status: 403, error: 'forbidden', description: 'This host name is not served here.' });
  };
  return guardHost;
}

/** Rejects with 403 a request whose `Origin` is not allowed, and a cross-site change with the user's cookie (CSRF). */
export function originGuard(rules: OriginRules): PipelineStep {
  const ownOrigin = new URL(rules.baseUrl).origin;
  const origins = new Set([ownOrigin, ...rules.allowedOrigins]);
  const mayCall = (origin: string): boolean =>
    origins.has(origin) || (rules.listensOnLoopback && isLoopbackOrigin(origin));
  const guardOrigin: PipelineStep = (ctx, next) => {
    if (isOpen(ctx.path)) return next();
    const { origin } = ctx.req.headers;
    if (origin !== undefined && !mayCall(origin)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: 'This origin may not call the server.' });
    }
    if (changesByCookie(ctx) && !isOwnPage(ctx, ownOrigin)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: cookieFromElsewhere });
    }
    return next();
  };
  return guardOrigin;
}

const cookieFromElsewhere =
  'A page of another origin may not use the session cookie. A program in a browser must send a bearer token instead.';

/** The names that a request was sent to: behind a proxy all forwarded ones, since the caller can forge the first. */
function hostsOf({ headers }: IncomingMessage, trustProxy: boolean): readonly string[] {
  const { host = '', 'x-forwarded-host': forwarded = '' } = headers;
  if (!trustProxy || forwarded === '') return [host];
  return String(forwarded)
    .split(',')
    .map((name) => name.trim());
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** The paths that programs call without a session, where cookies are ignored. */
const sessionlessPaths: ReadonlySet<string> = new Set(['/register', '/token']);

/** Whether the request may change something on behalf of the session cookie's user. */
function changesByCookie(ctx: Visit): boolean {
  if (safeMethods.has(ctx.method) || sessionlessPaths.has(ctx.path)) return false;
  return credentialsOf(ctx.req.headers).cookie !== null;
}

/** Builds a predicate for the `Host` values that name this server. */
function ownHostTest({ baseUrl, listensOnLoopback }: HostRules): (host: string) => boolean {
  const base = new URL(baseUrl);
  const hosts = new Set([base.host, `${base.hostname}:${base.port || (base.protocol === 'https:' ? '443' : '80')}`]);
  return (host) => hosts.has(host) || hosts.has(host.toLowerCase()) || (listensOnLoopback && loopbackHost.test(host));
}

/** Whether an `Origin` is a page of this machine, http or https, on any port. */
function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return /^https?:$/.test(url.protocol) && url.origin === origin && isLoopbackHost(url.hostname);
}

/** Whether programs in browsers of other origins may call; the responses vary with the origin. */
function allowsOrigins(ctx: Visit): boolean {
  return corsPaths.has(ctx.path) || ctx.path.startsWith('/.well-known/') || (ctx.path === '/' && !isPageAtRoot(ctx));
}

/**
 * Answers CORS preflights on the routes that programs in browsers call, and allows those programs to read the other
 * responses.
 */
export const answerCors: PipelineStep = (ctx, next) => {
  if (!allowsOrigins(ctx)) return next();
  const { origin } = ctx.req.headers;
  // Nothing has set `Vary` before, so there is no value to append to.
  ctx.res.setHeader('Vary', 'Origin');
  if (origin === undefined) return next();
  ctx.set('Access-Control-Allow-Origin', origin);
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    return next();
  }
  for (const [name, value] of Object.entries(corsHeaders)) ctx.set(name, value);
  ctx.status = 204;
  return undefined;
};
