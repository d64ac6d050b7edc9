import { Buffer } from 'node:buffer';
import { type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
import type { User } from '#domain/users/user.ts';
import { EventStream, type EventStreamOptions } from '#infrastructure/http/event-stream.ts';
import { readBytes } from '#infrastructure/http/read-bytes.ts';

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
export type McpAnswer = Readonly<{
  status: number;
  json: string | Buffer | null;
  retryAfterS?: number;
  sessionId?: string;
  allow?: string;
}>;

/** Who opens a stream or ends a session. */
export type McpVisit = Pick<McpExchange, 'user' | 'headers' | 'query'>;

/** What speaks MCP behind the routes; null is "answered on the stream". */
export interface McpEndpoint {
  message(exchange: McpExchange): Promise<McpAnswer | null>;
  openStream(visit: McpVisit, openLine: () => EventStream): McpAnswer | null;
  openSessionStream(visit: McpVisit, openLine: () => EventStream): McpAnswer | null;
  endSession(visit: McpVisit): McpAnswer;
}

/** The largest body of a message in bytes. Not in the contract: a bound of ours. */
export const longestMessage = 4 << 20;

/** The MCP routes: `POST /message` for both transports, `GET /sse` for the older one, and 405 for what they do not offer. */
export function mcpRoutes(endpoint: McpEndpoint, streams: EventStreamOptions = {}): readonly Route[] {
  const stream = (ctx: RouteContext) => () => openStream(ctx, streams);
  return [
    route('POST', '/message', (ctx) => message(ctx, endpoint, streams)),
    {
      ...route('GET', '/message', (ctx) => respond(ctx, endpoint.openSessionStream(visitOf(ctx), stream(ctx)))),
      isStream: true,
    },
    route('DELETE', '/message', (ctx) => respond(ctx, endpoint.endSession(visitOf(ctx)))),
    { ...route('GET', '/sse', (ctx) => respond(ctx, endpoint.openStream(visitOf(ctx), stream(ctx)))), isStream: true },
    route('POST', '/sse', notAllowed('GET')),
  ];
}

function visitOf(ctx: RouteContext): McpVisit {
  return { user: userOf(ctx), headers: ctx.req.headers, query: ctx.query };
}

function route(method: Route['method'], path: string, run: Route['run']): Route {
  return { method, path, access: 'granted', body: 'none', run };
}

async function message(ctx: RouteContext, endpoint: McpEndpoint, streams: EventStreamOptions): Promise<void> {
  const body = await readBytes(ctx.req, longestMessage);
  if (body === 'aborted') {
    ctx.status = 400;
    return;
  }
  if (body === 'too_large') {
    respond(ctx, { status: 413, json: error(-32600, `A message may have ${longestMessage} bytes.`) });
    return;
  }
  const exchange: McpExchange = {
    ...visitOf(ctx),
    body,
    openStream: () => openStream(ctx, streams),
    onClose: (run) => {
      ctx.res.once('close', run);
    },
  };
  respond(ctx, await endpoint.message(exchange));
}

function openStream(ctx: RouteContext, options: EventStreamOptions): EventStream {
  ctx.respond = false;
  return new EventStream(ctx.res, options);
}

/** Writes the answer past Koa, whose setters would guess what is known here. */
function respond(ctx: RouteContext, answer: McpAnswer | null): void {
  ctx.respond = false;
  if (answer === null) return;
  const { res } = ctx;
  const { status, json, retryAfterS, sessionId, allow } = answer;
  if (retryAfterS !== undefined) res.setHeader('Retry-After', retryAfterS);
  if (sessionId !== undefined) res.setHeader('Mcp-Session-Id', sessionId);
  if (allow !== undefined) res.setHeader('Allow', allow);
  res.statusCode = status;
  if (json === null) {
    res.setHeader('Content-Length', 0);
    res.end();
    return;
  }
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', typeof json === 'string' ? Buffer.byteLength(json) : json.length);
  res.end(json);
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
