import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { Authentication, refuseLimited } from '#adapters/http/middleware/authentication.ts';
import { type OriginRules, originGuard } from '#adapters/http/middleware/origin-guard.ts';
import { type BodyReader, bodyReader } from '#adapters/http/middleware/read-body.ts';
import { isBelow, refuse } from '#adapters/http/middleware/refuse.ts';
import { refuseUnknown, requestEdge } from '#adapters/http/middleware/request-edge.ts';
import { type Match, RouteTable } from '#adapters/http/middleware/route-table.ts';
import { securityHeaders } from '#adapters/http/middleware/security-headers.ts';
import { plainRequests } from '#adapters/http/plain-requests.ts';
import { type BodyFault, type Route, type RouteContext, rememberParameters, userOf } from '#adapters/http/route.ts';
import { staticFiles } from '#adapters/http/static-files.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import { isLimited } from '#domain/users/user.ts';
import { discardRest } from '#infrastructure/http/read-bytes.ts';

/** What the app is told about where it stands. `jsonLimitBytes` bounds bodies; without it 1 MiB. */
export type AppSettings = OriginRules &
  Readonly<{ oauthMetadata: boolean; trustProxy: boolean; bodyLimitBytes?: number }>;

/** What the app is made of: the routes of all rooms, and who says who calls. */
export type AppParts = Readonly<{
  routes: readonly Route[];
  identifyCaller: IdentifyCaller;
  logger: Logger;
  settings: AppSettings;
}>;

const mebibyte = 1_048_576;
const messageLimitBytes = 4 * mebibyte;

/** The whole HTTP edge in the order of EDGE-010: static files, route, body, authentication, handler. */
export function buildApp({ routes, identifyCaller, logger, settings }: AppParts): RequestListener {
  // With a proxy, only the address that this proxy itself appended is believed: the ones before it are the caller's word.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  const metadataUrl = settings.oauthMetadata ? `${settings.baseUrl}/.well-known/oauth-protected-resource` : null;
  const authentication = new Authentication(identifyCaller, logger, metadataUrl);
  const headers = securityHeaders({ isHttps: settings.baseUrl.startsWith('https:') });
  app.use(requestEdge(logger, headers));
  app.use(staticFiles());
  app.use(originGuard(settings));
  app.use(dispatcher(routes, authentication, settings.bodyLimitBytes ?? mebibyte));
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'Connection failed'));
  const handle = app.callback();
  const usual: RequestListener = (request, response) => void handle(request, response);
  return plainRequests({ routes, headers, rules: settings, identifyCaller, logger }, usual);
}

function dispatcher(routes: readonly Route[], authentication: Authentication, limitBytes: number) {
  const table = new RouteTable(routes);
  const readers = new Map(routes.map((route) => [route, readerOf(route, limitBytes)]));
  return async (ctx: RouteContext): Promise<void> => {
    const match = table.find(ctx.method, ctx.path);
    const fault = match.kind === 'route' ? ((await readers.get(match.route)?.(ctx)) ?? null) : null;
    if (!isPublic(match, ctx.path) && !(await authentication.settle(ctx))) return;
    await answer(ctx, match, fault);
  };
}

function readerOf(route: Route, limitBytes: number): BodyReader {
  const usual = route.path === '/message' ? Math.max(messageLimitBytes, limitBytes) : limitBytes;
  return bodyReader(route.body, route.bodyLimitBytes ?? usual);
}

/** What is below `/webhooks` is for senders without a session, unknown addresses too. */
function isPublic(match: Match, path: string): boolean {
  if (match.kind === 'route') return match.route.access === 'public';
  return match.kind === 'method' ? match.isPublic : isBelow(path, '/webhooks');
}

const bodyErrors = { 400: 'invalid_request', 413: 'too_large', 415: 'unsupported_media_type' } as const;

async function answer(ctx: RouteContext, match: Match, fault: BodyFault | null): Promise<void> {
  if (match.kind === 'none') return refuseUnknown(ctx);
  if (match.kind === 'method') {
    ctx.set('Allow', match.allow);
    const description = `This address answers ${match.allow}.`;
    return refuse(ctx, { status: 405, error: 'method_not_allowed', description });
  }
  const { route, parameters } = match;
  if (route.access === 'protected' && isLimited(userOf(ctx))) return refuseLimited(ctx);
  rememberParameters(ctx, parameters);
  if (fault === null) return route.run(ctx);
  // The body's reader has left it standing.
  if (fault.status === 413) discardRest(ctx.req);
  if (route.refuseBody !== undefined) return route.refuseBody(ctx, fault);
  const error = bodyErrors[fault.status];
  return refuse(ctx, { status: fault.status, error, description: fault.message });
}
