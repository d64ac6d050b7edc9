import { Buffer } from 'node:buffer';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { ProgramRoute } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { User } from '#domain/users/user.ts';
import { EventStream, type EventStreamOptions } from '#infrastructure/http/event-stream.ts';
import { endTogether, readBytes } from '#infrastructure/http/server-bodies.ts';

/** A posted message, with what is needed to answer it. */
export type McpExchange = Readonly<{
  user: User;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
  body: Uint8Array;
  openStream(): EventStream;
  onClose(run: () => void): void;
}>;

/** The response. `json` is the body: a string, or a string followed by prebuilt bytes; null for an empty body. */
export type McpAnswer = Readonly<{
  status: number;
  json: string | Readonly<{ head: string; rest: Uint8Array }> | null;
  retryAfterS?: number;
  sessionId?: string;
  allow?: string;
  challenge?: string;
}>;

/** The user and request that open a stream or end a session. */
export type McpVisit = Pick<McpExchange, 'user' | 'headers' | 'query'>;

/** The MCP endpoint behind the routes; null means answered on the stream. */
export interface MessageEndpoint {
  /** The maximum size of a message's body in bytes (EDGE-011). */
  readonly maxMessageBytes: number;
  message(exchange: McpExchange): Promise<McpAnswer | null>;
  openStream(visit: McpVisit, openLine: () => EventStream): McpAnswer | null;
  openSessionStream(visit: McpVisit, openLine: () => EventStream): Promise<McpAnswer | null>;
  endSession(visit: McpVisit): Promise<McpAnswer>;
}

/**
 * The MCP routes: `POST /message` for both transports, `GET /sse` for the older one, and 405 for unsupported methods.
 */
export function mcpRoutes(endpoint: MessageEndpoint, streams: EventStreamOptions = {}): readonly ProgramRoute[] {
  const opening =
    (open: MessageEndpoint['openStream'] | MessageEndpoint['openSessionStream']): ProgramRoute['run'] =>
    async (ctx) =>
      sendIfAny(ctx, await open(visitOf(ctx), () => openStream(ctx, streams)));
  return [
    route('POST', '/message', (ctx) => message(ctx, endpoint, streams)),
    {
      ...route(
        'GET',
        '/message',
        opening((...opened) => endpoint.openSessionStream(...opened)),
      ),
      isStream: true,
    },
    route('DELETE', '/message', async (ctx) => send(ctx, await endpoint.endSession(visitOf(ctx)))),
    {
      ...route(
        'GET',
        '/sse',
        opening((...opened) => endpoint.openStream(...opened)),
      ),
      isStream: true,
    },
    route('POST', '/sse', (ctx) => send(ctx, useGet)),
  ];
}

/** Builds a route that writes its response itself, which is cheaper than Koa's setters. */
function route(method: ProgramRoute['method'], path: string, answer: ProgramRoute['run']): ProgramRoute {
  const run: ProgramRoute['run'] = async (ctx) => {
    await answer(ctx);
    ctx.respond = false;
  };
  return { method, path, who: 'granted', body: 'none', isProgram: true, run };
}

function visitOf(ctx: Visit): McpVisit {
  return { user: userOf(ctx), headers: ctx.req.headers, query: ctx.query };
}

function openStream({ res }: Visit, streams: EventStreamOptions): EventStream {
  return new EventStream(res, streams);
}

async function message(ctx: Visit, endpoint: MessageEndpoint, streams: EventStreamOptions): Promise<void> {
  const { maxMessageBytes } = endpoint;
  const body = await readBytes(ctx.req, maxMessageBytes);
  if (body === 'aborted') {
    ctx.status = 400;
    return;
  }
  if (body === 'too_large') {
    send(ctx, { status: 413, json: error(-32600, `A message may have ${maxMessageBytes} bytes.`) });
    return;
  }
  const answered = await endpoint.message({
    user: userOf(ctx),
    headers: ctx.req.headers,
    query: ctx.query,
    body,
    openStream: () => openStream(ctx, streams),
    onClose: (run) => {
      ctx.res.on('close', run);
    },
  });
  sendIfAny(ctx, answered);
}

function sendIfAny(ctx: Visit, answer: McpAnswer | null): void {
  if (answer !== null) send(ctx, answer);
}

function send({ res }: Visit, answer: McpAnswer): void {
  const { status, json, retryAfterS, sessionId, allow, challenge } = answer;
  const length = lengthOf(json);
  res.statusCode = status;
  res.setHeader('Content-Length', length);
  if (length > 0) res.setHeader('Content-Type', 'application/json');
  if (retryAfterS !== undefined) res.setHeader('Retry-After', retryAfterS);
  if (sessionId !== undefined) res.setHeader('Mcp-Session-Id', sessionId);
  if (allow !== undefined) res.setHeader('Allow', allow);
  if (challenge !== undefined) res.setHeader('WWW-Authenticate', challenge);
  endTogether(() => end(res, json));
}

/** Ends the response with the body. A string is written together with the head of the response; bytes are not. */
function end(res: Visit['res'], json: McpAnswer['json']): void {
  if (json === null) res.end();
  else if (typeof json === 'string') res.end(json);
  else {
    res.write(json.head);
    res.end(json.rest);
  }
}

/** The length of the body, in bytes. */
function lengthOf(json: McpAnswer['json']): number {
  if (json === null) return 0;
  return typeof json === 'string' ? Buffer.byteLength(json) : Buffer.byteLength(json.head) + json.rest.length;
}

const useGet: McpAnswer = {
  status: 405,
  json: error(-32000, 'Method not allowed: use GET /sse.'),
  allow: 'GET',
};

function error(code: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null });
}
