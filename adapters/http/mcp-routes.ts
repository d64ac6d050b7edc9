import { Buffer } from 'node:buffer';
import type { MessageAnswer, MessageEndpoint, StreamRequest } from '#adapters/contracts/mcp-exchange.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import type { BusyAnswer, ProgramRoute } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { EventStream, type EventStreamOptions } from '#infrastructure/http/event-stream.ts';
import { endTogether, readBytes } from '#infrastructure/http/server-bodies.ts';

/** What the MCP addresses do with a request; each answers it, on `res`. */
type McpActions = Readonly<Record<'post' | 'stream' | 'oldStream' | 'end', ProgramRoute['run']>> &
  Readonly<{
    /** Answers a message that has been read already. */
    answer: (ctx: Visit, body: Uint8Array) => Promise<void>;
    maxMessageBytes: number;
  }>;

/** Builds the actions over an endpoint. */
export function mcpActions(endpoint: MessageEndpoint, streams: EventStreamOptions = {}): McpActions {
  const opened = (ctx: Visit) => () => {
    ctx.respond = false;
    return new EventStream(ctx.res, streams);
  };
  const answer: McpActions['answer'] = async (ctx, body) =>
    sendIfAny(
      ctx,
      await endpoint.message({
        ...visitOf(ctx),
        path: ctx.path,
        body,
        openStream: opened(ctx),
        onClose: (run) => {
          ctx.res.on('close', run);
        },
      }),
    );
  const { maxMessageBytes } = endpoint;
  return {
    maxMessageBytes,
    answer,
    post: async (ctx) => {
      const body = await readMessage(ctx, maxMessageBytes);
      if (body !== null) await answer(ctx, body);
    },
    stream: async (ctx) => sendIfAny(ctx, await endpoint.openSessionStream(visitOf(ctx), opened(ctx))),
    oldStream: (ctx) => sendIfAny(ctx, endpoint.openStream(visitOf(ctx), opened(ctx))),
    end: async (ctx) => send(ctx, await endpoint.endSession(visitOf(ctx))),
  };
}

/** How MCP is served: its streams, and whether a message that arrives now is answered; it always is by default. */
export type McpOptions = EventStreamOptions & Readonly<{ mayCall?: () => boolean }>;

/**
 * The MCP routes: `POST /message` for both transports, `/mcp` as another name of it, `GET /sse` for the older transport,
 * and 405 for unsupported methods.
 */
export function mcpRoutes(
  endpoint: MessageEndpoint,
  { mayCall = () => true, ...streams }: McpOptions = {},
): readonly ProgramRoute[] {
  const { post, stream, oldStream, end } = mcpActions(endpoint, streams);
  return [
    ...(['/message', '/mcp'] as const).flatMap((path) => [
      { ...route('POST', path, post), refusal: refusalUnless(mayCall) },
      { ...route('GET', path, stream), isStream: true },
      route('DELETE', path, end),
    ]),
    { ...route('GET', '/sse', oldStream), isStream: true },
    route('POST', '/sse', (ctx) => send(ctx, useGet)),
  ];
}

/** Builds a route that writes its response itself, which is cheaper than Koa's setters. */
export function route(method: ProgramRoute['method'], path: string, run: ProgramRoute['run']): ProgramRoute {
  return { method, path, who: 'granted', body: 'none', isProgram: true, run };
}

/** Reads the body of a posted message; null when it was answered instead, since it is too large or was cut off. */
export async function readMessage(ctx: Visit, maxMessageBytes: number): Promise<Uint8Array | null> {
  const body = await readBytes(ctx.req, maxMessageBytes);
  if (body === 'aborted') {
    ctx.status = 400;
    ctx.respond = false;
    return null;
  }
  if (body !== 'too_large') return body;
  send(ctx, { status: 413, json: error(-32600, `A message may have at most ${maxMessageBytes} bytes.`) });
  return null;
}

function visitOf(ctx: Visit): StreamRequest {
  return { user: userOf(ctx), headers: ctx.req.headers, query: ctx.query };
}

function sendIfAny(ctx: Visit, answer: MessageAnswer | null): void {
  if (answer !== null) send(ctx, answer);
}

function send(ctx: Visit, answer: MessageAnswer): void {
  const { res } = ctx;
  ctx.respond = false;
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
function end(res: Visit['res'], json: MessageAnswer['json']): void {
  if (json === null) res.end();
  else if (typeof json === 'string') res.end(json);
  else {
    res.write(json.head);
    res.end(json.rest);
  }
}

/** The length of the body, in bytes. */
function lengthOf(json: MessageAnswer['json']): number {
  if (json === null) return 0;
  return typeof json === 'string' ? Buffer.byteLength(json) : Buffer.byteLength(json.head) + json.rest.length;
}

const useGet: MessageAnswer = {
  status: 405,
  json: error(-32000, 'Method not allowed: use GET /sse.'),
  allow: 'GET',
};

/** When a message that was refused because the server is busy may be sent again, in s. */
const busyRetryAfterS = 5;

/** What refuses a message unless it may be answered. */
export function refusalUnless(mayCall: () => boolean): () => BusyAnswer | null {
  return () => (mayCall() ? null : busyAnswer);
}

const busyAnswer: BusyAnswer = {
  status: 503,
  retryAfterS: busyRetryAfterS,
  body: error(-32000, `The server has too little time: nothing was done. Try again in ${busyRetryAfterS} seconds.`),
};

function error(code: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null });
}
