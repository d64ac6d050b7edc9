import type { IncomingMessage } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import rawBody from 'raw-body';
import { type Answer, content, json, notFound, refuse, refuseStatus } from '#adapters/embedded-vault/answer.ts';
import { openapiYaml } from '#adapters/embedded-vault/openapi.ts';
import type { VaultRequest } from '#adapters/embedded-vault/vault-request.ts';
import type { VaultRoute } from '#adapters/embedded-vault/vault-route.ts';
import type { Logger } from '#application/ports/logger.ts';
import { equal } from '#domain/shared/equal.ts';
import { errorCode } from '#infrastructure/files/error-code.ts';

/** What the server is made of. */
export type VaultAppOptions = Readonly<{
  routes: readonly VaultRoute[];
  apiKey: string;
  logger: Logger;
  /** The largest body that is read, in bytes. */
  bodyLimit: number;
}>;

const version = '1.0.0';

/** The vault's REST interface as a Koa app. Every route but `GET /` needs the key (contract, Outbound: vault). */
export function vaultApp(options: VaultAppOptions): Koa {
  const openapi = openapiYaml(options.routes, version);
  const matchers = options.routes.map((route) => ({ route, expression: expressionOf(route.pattern) }));
  const app = new Koa();
  app.use(
    answerWith(options.logger, async (ctx) => {
      const isAuthenticated = equal(ctx.get('Authorization'), `Bearer ${options.apiKey}`);
      const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
      if (method === 'GET' && ctx.path === '/') return status(isAuthenticated);
      if (!isAuthenticated) return refuse(40101);
      if (method === 'GET' && ctx.path === '/openapi.yaml') return content(openapi, 'application/yaml; charset=utf-8');
      for (const { route, expression } of matchers) {
        const match = route.method === method ? expression.exec(ctx.path) : null;
        if (match !== null) return runRoute(ctx, route, match.groups ?? {}, options.bodyLimit);
      }
      return notFound();
    }),
  );
  app.on('error', (error: unknown) => options.logger.debug({ err: error }, 'A vault connection failed'));
  return app;
}

async function runRoute(
  ctx: Context,
  route: VaultRoute,
  parts: Readonly<Record<string, string>>,
  bodyLimit: number,
): Promise<Answer> {
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding !== 'identity')
    return refuseStatus(415, `The encoding '${encoding}' is not read here.`);
  const body = await readBody(ctx.req, bodyLimit);
  if (body === null) {
    ctx.set('Connection', 'close');
    return refuseStatus(413, `A body may have ${bodyLimit} bytes at most.`);
  }
  return route.run(requestOf(ctx, route, body), parts);
}

function requestOf(ctx: Context, route: VaultRoute, body: Buffer): VaultRequest {
  return {
    method: route.method,
    path: ctx.path,
    query: new URLSearchParams(ctx.querystring),
    header: (name) => {
      const value = ctx.req.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body,
  };
}

function answerWith(logger: Logger, answer: (ctx: Context) => Promise<Answer>): Middleware {
  return async (ctx) => {
    const given = await answer(ctx).catch((error: unknown) => {
      const isAborted = errorCode(error) === 'ECONNABORTED' || errorCode(error) === 'ECONNRESET';
      if (isAborted) logger.debug({ method: ctx.method }, 'A caller of the vault went away');
      else logger.error({ err: error, method: ctx.method }, 'A request to the vault failed');
      return refuseStatus(500, 'The vault failed; its log says why.');
    });
    ctx.status = given.status;
    ctx.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...given.headers });
    ctx.body = typeof given.body === 'string' || given.body === null ? given.body : Buffer.from(given.body);
    // Koa puts a type of its own when a body is set.
    if (given.headers['Content-Type'] !== undefined) ctx.set('Content-Type', given.headers['Content-Type']);
  };
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // Without either there is no body (RFC 9112 §6.3).
  if (length === undefined && coding === undefined) return Buffer.alloc(0);
  try {
    return await rawBody(request, { limit, length: length ?? null });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    if (!isTooLarge) throw error;
    request.resume();
    return null;
  }
}

function status(isAuthenticated: boolean): Answer {
  return json({
    status: 'OK',
    manifest: { id: 'embedded-vault', name: 'Embedded vault', version },
    versions: { vault: version, self: version },
    service: 'Portolan embedded vault',
    authenticated: isAuthenticated,
  });
}

/** '/a/{b}/{+c}' as an expression with named groups; a final slash may be left out. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/\/$/, '/?')
    .replaceAll('.', '\\.')
    .replaceAll(/\{\+(\w+)\}/g, '(?<$1>.*)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`, 's');
}
