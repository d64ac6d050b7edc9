import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { type PlainVisit, type Route, userOf } from '#adapters/http/route.ts';
import type { User } from '#domain/users/user.ts';
import { endTogether } from '#infrastructure/http/end-together.ts';
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

/** An answer: `json` is the body, a text or bytes made beforehand, piece after piece; null for an empty one. */
export type McpAnswer = Readonly<{
  status: number;
  json: string | readonly Uint8Array[] | null;
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

/** The largest body of a message in bytes (EDGE-011). */
export const longestMessage = 4 << 20;

/** The MCP routes: `POST /message` for both transports, `GET /sse` for the older one, and 405 for what they do not offer. */
export function mcpRoutes(endpoint: McpEndpoint, streams: EventStreamOptions = {}): readonly Route[] {
  const opening =
    (open: McpEndpoint['openStream']): Handler =>
    (visit) =>
      sendIfAny(
        visit,
        open(visitOf(visit), () => openStream(visit, streams)),
      );
  return [
    route('POST', '/message', (visit) => message(visit, endpoint, streams)),
    {
      ...route(
        'GET',
        '/message',
        opening((...opened) => endpoint.openSessionStream(...opened)),
      ),
      isStream: true,
    },
    route('DELETE', '/message', (visit) => send(visit, endpoint.endSession(visitOf(visit)))),
    {
      ...route(
        'GET',
        '/sse',
        opening((...opened) => endpoint.openStream(...opened)),
      ),
      isStream: true,
    },
    route('POST', '/sse', (visit) => send(visit, useGet)),
  ];
}

type Handler = NonNullable<Route['runPlain']>;

/** A route that is answered in the same way past Koa, whose context a stream would hold, and through it. */
function route(method: Route['method'], path: string, runPlain: Handler): Route {
  const run: Route['run'] = async (ctx) => {
    await runPlain({ request: ctx.req, response: ctx.res, user: userOf(ctx), head: [] });
    // Koa's setters would guess what is known here.
    ctx.respond = false;
  };
  return { method, path, access: 'granted', body: 'none', run, runPlain };
}

function visitOf({ request, user }: PlainVisit): McpVisit {
  return { user, headers: request.headers, query: queryOf(request) };
}

function openStream({ response, head }: PlainVisit, streams: EventStreamOptions): EventStream {
  for (let index = 0; index < head.length; index += 2) response.setHeader(head[index] ?? '', head[index + 1] ?? '');
  return new EventStream(response, streams);
}

async function message(visit: PlainVisit, endpoint: McpEndpoint, streams: EventStreamOptions): Promise<void> {
  const { request, response } = visit;
  const body = await readBytes(request, longestMessage);
  if (body === 'aborted') {
    response.statusCode = 400;
    return;
  }
  if (body === 'too_large') {
    send(visit, { status: 413, json: error(-32600, `A message may have ${longestMessage} bytes.`) });
    return;
  }
  const answered = await endpoint.message({
    ...visitOf(visit),
    body,
    openStream: () => openStream(visit, streams),
    onClose: (run) => {
      response.once('close', run);
    },
  });
  sendIfAny(visit, answered);
}

function queryOf({ url = '' }: IncomingMessage): McpExchange['query'] {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : parse(url.slice(start + 1));
}

const noQuery = {};

function sendIfAny(visit: PlainVisit, answer: McpAnswer | null): void {
  if (answer !== null) send(visit, answer);
}

function send({ response, head }: PlainVisit, answer: McpAnswer): void {
  const { status, json, retryAfterS, sessionId, allow } = answer;
  const parts = partsOf(json);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const headers = [...head, 'Content-Length', String(length)];
  if (length > 0) headers.push('Content-Type', 'application/json');
  if (retryAfterS !== undefined) headers.push('Retry-After', String(retryAfterS));
  if (sessionId !== undefined) headers.push('Mcp-Session-Id', sessionId);
  if (allow !== undefined) headers.push('Allow', allow);
  response.statusCode = status;
  endTogether(() => {
    response.writeHead(status, headers);
    for (const part of parts) response.write(part);
    response.end();
  });
}

function partsOf(json: McpAnswer['json']): readonly Uint8Array[] {
  return json === null ? [] : typeof json === 'string' ? [Buffer.from(json)] : json;
}

const useGet: McpAnswer = {
  status: 405,
  json: error(-32000, 'Method not allowed: use GET /sse.'),
  allow: 'GET',
};

function error(code: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null });
}
