import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { type PlainVisit, type Route, type RouteContext, userOf } from '#adapters/http/route.ts';
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

/** The largest body of a message in bytes. Not in the contract: a bound of ours. */
export const longestMessage = 4 << 20;

/** The MCP routes: `POST /message` for both transports, `GET /sse` for the older one, and 405 for what they do not offer. */
export function mcpRoutes(endpoint: McpEndpoint, streams: EventStreamOptions = {}): readonly Route[] {
  const stream = (ctx: RouteContext) => () => openStream(ctx, streams);
  return [
    {
      ...route('POST', '/message', async (ctx) => {
        await message({ request: ctx.req, response: ctx.res, user: userOf(ctx), head: [] }, endpoint, streams);
        ctx.respond = false;
      }),
      runPlain: (visit) => message(visit, endpoint, streams),
    },
    {
      ...route('GET', '/message', (ctx) => respond(ctx, endpoint.openSessionStream(visitOf(ctx), stream(ctx)))),
      runPlain: plain((visit, openLine) => endpoint.openSessionStream(visit, openLine), streams),
      isStream: true,
    },
    route('DELETE', '/message', (ctx) => respond(ctx, endpoint.endSession(visitOf(ctx)))),
    {
      ...route('GET', '/sse', (ctx) => respond(ctx, endpoint.openStream(visitOf(ctx), stream(ctx)))),
      runPlain: plain((visit, openLine) => endpoint.openStream(visit, openLine), streams),
      isStream: true,
    },
    route('POST', '/sse', notAllowed('GET')),
  ];
}

/** A stream opened without Koa, whose context would be held for as long as the stream is open. */
function plain(
  open: (visit: McpVisit, openLine: () => EventStream) => McpAnswer | null,
  streams: EventStreamOptions,
): NonNullable<Route['runPlain']> {
  return (visit) => {
    const { request, user } = visit;
    const { headers } = request;
    const answer = open({ user, headers, query: queryOf(request) }, () => openPlainStream(visit, streams));
    if (answer !== null) send(visit, answer);
  };
}

function openPlainStream({ response, head }: PlainVisit, streams: EventStreamOptions): EventStream {
  for (let index = 0; index < head.length; index += 2) response.setHeader(head[index] ?? '', head[index + 1] ?? '');
  return new EventStream(response, streams);
}

function visitOf(ctx: RouteContext): McpVisit {
  return { user: userOf(ctx), headers: ctx.req.headers, query: ctx.query };
}

function route(method: Route['method'], path: string, run: Route['run']): Route {
  return { method, path, access: 'granted', body: 'none', run };
}

async function message(visit: PlainVisit, endpoint: McpEndpoint, streams: EventStreamOptions): Promise<void> {
  const { request, response, user } = visit;
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
    user,
    headers: request.headers,
    query: queryOf(request),
    body,
    openStream: () => openPlainStream(visit, streams),
    onClose: (run) => {
      response.once('close', run);
    },
  });
  if (answered !== null) send(visit, answered);
}

function queryOf({ url = '' }: IncomingMessage): McpExchange['query'] {
  const start = url.indexOf('?');
  return start === -1 ? noQuery : parse(url.slice(start + 1));
}

const noQuery = {};

function openStream(ctx: RouteContext, options: EventStreamOptions): EventStream {
  ctx.respond = false;
  return new EventStream(ctx.res, options);
}

/** Writes the answer past Koa, whose setters would guess what is known here. */
function respond(ctx: RouteContext, answer: McpAnswer | null): void {
  ctx.respond = false;
  if (answer !== null) send({ response: ctx.res, head: [] }, answer);
}

function send({ response, head }: Pick<PlainVisit, 'response' | 'head'>, answer: McpAnswer): void {
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

function notAllowed(allow: string): Route['run'] {
  return (ctx) => {
    ctx.set('Allow', allow);
    respond(ctx, { status: 405, json: error(-32000, `Method not allowed: use ${allow} ${ctx.path}.`) });
  };
}

function error(code: number, text: string): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null });
}
