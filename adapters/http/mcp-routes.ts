import { getRawBody } from 'raw-body';
import { type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
import type { User } from '#domain/users/user.ts';
import { EventStream, type EventStreamOptions } from '#infrastructure/http/event-stream.ts';

/** A posted message, with what is needed to answer it. */
export type McpExchange = Readonly<{
  user: User;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
  openStream(): EventStream;
  onClose(run: () => void): void;
}>;

/** An answer: `json` is the body, null for an empty one. */
export type McpAnswer = Readonly<{ status: number; json: string | null; retryAfterS?: number }>;

/** What speaks MCP behind the routes; null is "answered on the stream". */
export interface McpEndpoint {
  message(exchange: McpExchange): Promise<McpAnswer | null>;
  openStream(user: User, openLine: () => EventStream): McpAnswer | null;
}

/** The largest body of a message in bytes. Not in the contract: a bound of ours. */
export const longestMessage = 4 << 20;

/** The MCP routes: `POST /message` for both transports, `GET /sse` for the older one, and 405 for what they do not offer. */
export function mcpRoutes(endpoint: McpEndpoint, streams: EventStreamOptions = {}): readonly Route[] {
  return [
    route('POST', '/message', (ctx) => message(ctx, endpoint, streams)),
    route('GET', '/message', notAllowed('POST')),
    route('DELETE', '/message', notAllowed('POST')),
    {
      ...route('GET', '/sse', (ctx) => {
        respond(
          ctx,
          endpoint.openStream(userOf(ctx), () => openStream(ctx, streams)),
        );
      }),
      isStream: true,
    },
    route('POST', '/sse', notAllowed('GET')),
  ];
}

function route(method: Route['method'], path: string, run: Route['run']): Route {
  return { method, path, access: 'protected', body: 'none', run };
}

async function message(ctx: RouteContext, endpoint: McpEndpoint, streams: EventStreamOptions): Promise<void> {
  const body = await bytesOf(ctx);
  if (body === 'aborted') {
    ctx.status = 400;
    return;
  }
  if (body === 'too_large') {
    respond(ctx, { status: 413, json: error(-32600, `A message may have ${longestMessage} bytes.`) });
    return;
  }
  const exchange: McpExchange = {
    user: userOf(ctx),
    headers: ctx.req.headers,
    query: ctx.query,
    body,
    openStream: () => openStream(ctx, streams),
    onClose: (run) => {
      ctx.res.once('close', run);
    },
  };
  respond(ctx, await endpoint.message(exchange));
}

async function bytesOf(ctx: RouteContext): Promise<Uint8Array | 'too_large' | 'aborted'> {
  try {
    const length = ctx.req.headers['content-length'];
    return await getRawBody(ctx.req, { limit: longestMessage, length: length ?? null });
  } catch (fault) {
    const type = typeof fault === 'object' && fault !== null && 'type' in fault ? fault.type : null;
    if (type === 'entity.too.large') return 'too_large';
    if (ctx.req.destroyed) return 'aborted';
    throw fault;
  }
}

function openStream(ctx: RouteContext, options: EventStreamOptions): EventStream {
  ctx.respond = false;
  return new EventStream(ctx.res, options);
}

function respond(ctx: RouteContext, answer: McpAnswer | null): void {
  if (answer === null) {
    ctx.respond = false;
    return;
  }
  const { status, json, retryAfterS } = answer;
  if (retryAfterS !== undefined) ctx.set('Retry-After', String(retryAfterS));
  if (json !== null) ctx.set('Content-Type', 'application/json');
  ctx.body = json;
  ctx.status = status;
}

function notAllowed(allow: string): Route['run'] {
  return (ctx) => {
    ctx.set('Allow', allow);
    respond(ctx, { status: 405, json: error(-32000, `Method not allowed: use ${allow} ${ctx.path}.`) });
  };
}

function error(code: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null });
}
