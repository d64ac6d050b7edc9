import type { Middleware } from 'koa';
import { credentialsOf } from '#adapters/http/middleware/credentials.ts';
import { refuse } from '#adapters/http/middleware/refuse.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/** Who may call from where (EDGE-001 to EDGE-004). */
export type OriginRules = Readonly<{
  baseUrl: string;
  listensOnLoopback: boolean;
  /** Further origins that browsers may call from. */
  allowedOrigins: readonly string[];
}>;

const healthPaths = new Set(['/healthz', '/readyz']);
const corsPaths = new Set(['/message', '/sse', '/register', '/token']);
const loopbackHost = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID, X-Portolan-Services, X-Portolan-Readonly, X-Portolan-Mode',
  'Access-Control-Max-Age': '600',
};
const exposedHeaders = 'WWW-Authenticate, Mcp-Session-Id, Retry-After';

/**
 * Refuses with 403 a `Host` or `Origin` that is not ours (DNS rebinding), and a change that a page of somebody else asks for with the
 * user's cookie (CSRF); answers CORS on the routes that programs in browsers call. Webhooks are exempt: their senders reach us by
 * whatever name, and are verified by signature. So are the probes of health, which come by address.
 */
export function originGuard(rules: OriginRules): Middleware {
  const ownOrigin = new URL(rules.baseUrl).origin;
  const origins = new Set([ownOrigin, ...rules.allowedOrigins]);
  const isHostOurs = hostJudge(rules);
  const mayCall = (origin: string): boolean =>
    origins.has(origin) || (rules.listensOnLoopback && isLoopbackOrigin(origin));

  return async (ctx, next) => {
    if (ctx.path.startsWith('/webhooks/') || healthPaths.has(ctx.path)) return next();
    if (!hostsOf(ctx).every(isHostOurs)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: 'This host name is not served here.' });
    }
    const origin = ctx.req.headers.origin;
    if (origin !== undefined && !mayCall(origin)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: 'This origin may not call the server.' });
    }
    if (changesByCookie(ctx) && !isOwnPage(ctx, ownOrigin)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: cookieFromElsewhere });
    }
    if (isCorsPath(ctx.path) && answerCors(ctx, origin)) return;
    return next();
  };
}

const cookieFromElsewhere =
  'A page of another origin may not use the session cookie. A program in a browser sends a bearer token, and no cookie.';

/** The names that a request was sent to: behind a proxy all that were handed on, since the first of them is the caller's word. */
function hostsOf(ctx: RouteContext): readonly string[] {
  const forwarded = ctx.app.proxy ? ctx.get('X-Forwarded-Host') : '';
  return forwarded === '' ? [ctx.host] : forwarded.split(',').map((host) => host.trim());
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** What programs call without a session: a cookie that came along counts for nothing there. */
const sessionlessPaths: ReadonlySet<string> = new Set(['/register', '/token']);

/** Whether the request may change something in the name of whoever the session cookie is of. */
function changesByCookie(ctx: RouteContext): boolean {
  if (safeMethods.has(ctx.method) || sessionlessPaths.has(ctx.path)) return false;
  return credentialsOf(ctx.req.headers).cookie !== null;
}

/**
 * Whether a page of ours sent the request, or a program that is no browser. Browsers send cookies to every port of a host, and take
 * all ports for one site: only the origin tells a page of ours from one of the server next door.
 */
export function isOwnPage(ctx: RouteContext, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === ownOrigin || origin === `${ctx.protocol}://${ctx.host}`;
}

/** Tells whether a `Host` is a name of ours. */
export function hostJudge({ baseUrl, listensOnLoopback }: OriginRules): (host: string) => boolean {
  const base = new URL(baseUrl);
  const hosts = new Set([base.host, `${base.hostname}:${base.port || (base.protocol === 'https:' ? '443' : '80')}`]);
  return (host) => hosts.has(host) || hosts.has(host.toLowerCase()) || (listensOnLoopback && loopbackHost.test(host));
}

/** Whether an `Origin` header is a page of this machine, http or https, on any port. */
export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return /^https?:$/.test(url.protocol) && url.origin === origin && isLoopbackHost(url.hostname);
}

/** Whether programs in browsers may call the path from other origins; its answers vary with the origin. */
export function isCorsPath(path: string): boolean {
  return corsPaths.has(path) || path.startsWith('/.well-known/');
}

/** Sets the CORS headers; true when the request was a preflight and is answered. */
function answerCors(ctx: RouteContext, origin: string | undefined): boolean {
  ctx.vary('Origin');
  if (origin === undefined) return false;
  ctx.set('Access-Control-Allow-Origin', origin);
  if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') {
    ctx.set('Access-Control-Expose-Headers', exposedHeaders);
    return false;
  }
  ctx.set(corsHeaders);
  ctx.status = 204;
  return true;
}
