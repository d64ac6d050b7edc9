import type { Middleware } from 'koa';
import { refuse } from '#adapters/http/middleware/refuse.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';

/** Who may call from where (decisions, Host and Origin). */
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
 * Refuses with 403 a `Host` or `Origin` that is not ours (DNS rebinding), and answers CORS on the routes that programs
 * in browsers call. Webhooks are exempt: their senders reach us by whatever name, and are verified by signature. So are the
 * probes of health, which come by address, and learn no more than that the server is there.
 */
export function originGuard(rules: OriginRules): Middleware {
  const origins = new Set([new URL(rules.baseUrl).origin, ...rules.allowedOrigins]);
  const isHostOurs = hostJudge(rules);
  const isOriginOurs = (origin: string): boolean =>
    origins.has(origin) || (rules.listensOnLoopback && isLoopbackOrigin(origin));

  return async (ctx, next) => {
    if (ctx.path.startsWith('/webhooks/') || healthPaths.has(ctx.path)) return next();
    if (!isHostOurs(ctx.host)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: 'This host name is not served here.' });
    }
    const origin = ctx.req.headers.origin;
    if (origin !== undefined && !isOriginOurs(origin)) {
      return refuse(ctx, { status: 403, error: 'forbidden', description: 'This origin may not call the server.' });
    }
    if (isCorsPath(ctx.path) && answerCors(ctx, origin)) return;
    return next();
  };
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
