import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { rememberCaller } from '#adapters/http/middleware/authentication.ts';
import type { Opened } from '#test/contracts/kit/subject.ts';
import type { Stage } from '#test/contracts/kit/transport-stage.ts';
import type { OpenTransport, TransportClient } from '#test/contracts/kit/transport-subject.ts';
import { ReceivedMessages } from '#test/support/contracts/received-messages.ts';
import { openParts, openSeveralParts } from '#test/support/contracts/transport-parts.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

type Connect = (url: string) => Promise<TransportClient>;

type Parts = ReturnType<typeof openParts>;

function handlerOf({ endpoint, current }: Parts): RequestListener {
  const router = new Router();
  for (const { method, path, run } of mcpRoutes(endpoint)) {
    router.register(path, [method], async (ctx) => {
      const user = await current();
      if (user === null) return ctx.throw(401);
      rememberCaller(ctx, { user, session: { userId: user.id, issuedAt: Date.now() }, by: 'app' });
      await run(ctx);
    });
  }
  const app = new Koa();
  app.silent = true;
  app.use(router.routes());
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/** The MCP routes on a port of their own, for a client that connects in one of the two ways of HTTP. */
async function serveHttp(parts: readonly Parts[], connectTo: Connect): Promise<Opened<OpenTransport>> {
  const handlers = parts.map(handlerOf);
  let next = 0;
  const server = createServer(keptConnections, (request, response) => {
    handlers[next++ % handlers.length]?.(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = async (maxWaitMs: number) => {
    await Promise.all(parts.map(({ endpoint }) => endpoint.stop(maxWaitMs)));
  };
  const close = async () => {
    for (const { end } of parts) end();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  const [first] = parts;
  if (first === undefined) throw new Error('There is no server');
  return { port: { ...first.control, connect: () => connectTo(`http://127.0.0.1:${port}`), stop }, close };
}

/** Streamable HTTP: each message is a request, and a stream of the session carries what belongs to none. */
export const openStreamable = (stage: Stage): Promise<Opened<OpenTransport>> =>
  serveHttp([openParts(stage)], connectStreamable);

/** HTTP with SSE: a stream for all answers, whose first event says where messages are posted. */
export const openSse = (stage: Stage): Promise<Opened<OpenTransport>> => serveHttp([openParts(stage)], connectSse);

/** The same with three servers, round robin. */
export const openSharedStreamable = (stage: Stage): Promise<Opened<OpenTransport>> =>
  serveHttp(openSeveralParts(stage), connectStreamable);
export const openSharedSse = (stage: Stage): Promise<Opened<OpenTransport>> =>
  serveHttp(openSeveralParts(stage), connectSse);

const accept = 'application/json, text/event-stream';

async function connectStreamable(url: string): Promise<TransportClient> {
  const heard = new ReceivedMessages();
  const gone = new AbortController();
  const { promise: closed, resolve: ended } = Promise.withResolvers<void>();
  const session: Record<string, string> = {};
  let line: Promise<unknown> | null = null;
  const send = async (text: string): Promise<void> => {
    const headers = { accept, 'content-type': 'application/json', ...session };
    const response = await fetch(`${url}/message`, { method: 'POST', headers, body: text, signal: gone.signal });
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session['mcp-session-id'] = id;
    if (id !== null && line === null) {
      const opened = await fetch(`${url}/message`, { headers: { accept, ...session }, signal: gone.signal });
      line = readEvents(opened, (_, data) => heard.take(data)).then(() => ended());
    }
    await readAnswer(response, heard);
  };
  // What is answered late must not hold up what is sent next.
  const sendOn = async (text: string): Promise<void> => {
    const sent = send(text).catch(() => undefined);
    if (text.includes('"initialize"')) await sent;
  };
  return {
    received: heard.received,
    onMessage: heard.onMessage,
    send: sendOn,
    closed,
    close: async () => gone.abort(),
  };
}

async function connectSse(url: string): Promise<TransportClient> {
  const heard = new ReceivedMessages();
  const gone = new AbortController();
  const { promise: address, resolve: addressed } = Promise.withResolvers<string>();
  const response = await fetch(`${url}/sse`, { headers: { accept }, signal: gone.signal });
  const closed = readEvents(response, (event, data) => (event === 'endpoint' ? addressed(data) : heard.take(data)));
  const target = `${url}${await address}`;
  const send = async (text: string): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    await readAnswer(await fetch(target, { method: 'POST', headers, body: text }), heard);
  };
  return { received: heard.received, onMessage: heard.onMessage, send, closed, close: async () => gone.abort() };
}

async function readAnswer(response: Response, heard: ReceivedMessages): Promise<void> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await readEvents(response, (_, data) => heard.take(data));
    return;
  }
  const text = await response.text();
  if (text.startsWith('{') || text.startsWith('[')) heard.take(text);
  else if (response.status >= 400) heard.refuse(response.status, text);
}

/** Reads a stream of events; resolves when it has ended, however. */
async function readEvents(response: Response, take: (event: string, data: string) => void): Promise<void> {
  let text = '';
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1');
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const lines of events) {
        const named = (name: string) =>
          lines.split('\n').flatMap((line) => (line.startsWith(`${name}: `) ? line.slice(name.length + 2) : []));
        const data = Buffer.from(named('data').join('\n'), 'latin1').toString('utf8');
        if (data !== '') take(named('event')[0] ?? 'message', data);
      }
    }
  } catch {
    // The client itself has cut the stream.
  }
}
