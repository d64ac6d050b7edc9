import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ServiceKey } from '#test/kit/clause.ts';
import { parsed } from '#test/kit/wire.ts';

/** A request received by an emulator. */
export type Received = Readonly<{
  method: string;
  /** As it stood in the request line, without the query. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names; a header that came twice is joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
  /** When it arrived, in ms of a clock that only goes forward. */
  at: number;
}>;

/** What an emulator answers. A body that is no text and no bytes is sent as JSON. */
export type Reply = Readonly<{
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** What the answer waits for; no longer than its caller does. */
  until?: Promise<unknown>;
}>;

/** How a service answers requests. */
export type Answering = (request: Received) => Reply;

type Scripted = { matches: (request: Received) => boolean; replies: Reply[] };

/** How long connections are kept that nobody uses, in ms: longer than a run, so that none is closed when a request is on its way. */
const keptMs = 3_600_000;

/** An emulated service on its own port: records requests, and answers from its table unless a clause has scripted the answer. */
export class Emulator {
  readonly service: ServiceKey;
  readonly received: Received[] = [];
  /** The maximum number of concurrent requests since it was last set to 0. */
  mostAtOnce = 0;
  /** The number of callers that disconnected before the answer. */
  abandoned = 0;
  /** How an injected fault changes a request before it arrives; null drops it and answers 502. */
  tamper: ((request: Received) => Received | null) | null = null;
  /** How an injected fault changes an answer. */
  tamperReply: ((reply: Reply, request: Received) => Reply) | null = null;
  readonly #answering: Answering;
  #scripted: Scripted[] = [];
  readonly #server: Server = createServer(
    { keepAliveTimeout: keptMs },
    (request, response) => void this.#serve(request, response),
  );
  #url = '';
  #atOnce = 0;

  constructor(service: ServiceKey, answering: Answering) {
    this.service = service;
    this.#answering = answering;
  }

  /** Where it listens, without a slash at the end. */
  get url(): string {
    return this.#url;
  }

  async listen(host: string, port: number): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#url = `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Answers the next matching requests with these replies, in order; then the table answers again. */
  script(matching: (request: Received) => boolean, ...replies: readonly Reply[]): void {
    this.#scripted.push({ matches: matching, replies: [...replies] });
  }

  /** Discards scripted replies that were not used. */
  unscript(): void {
    this.#scripted = [];
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => null);
    if (body === null) return;
    const sent = requestOf(incoming, body);
    const request = this.tamper === null ? sent : this.tamper(sent);
    if (request === null) {
      response.writeHead(502).end();
      return;
    }
    this.received.push(request);
    const usual = this.#scriptedFor(request) ?? this.#answering(request);
    const reply = this.tamperReply === null ? usual : this.tamperReply(usual, request);
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    response.once('close', () => {
      this.#atOnce -= 1;
      if (!response.writableEnded) this.abandoned += 1;
    });
    await reply.until;
    if (!response.destroyed) write(response, reply);
  }

  #scriptedFor(request: Received): Reply | null {
    const found = this.#scripted.find(({ matches, replies }) => replies.length > 0 && matches(request));
    return found?.replies.shift() ?? null;
  }
}

function requestOf(incoming: IncomingMessage, body: Buffer): Received {
  const url = incoming.url ?? '/';
  const [path = '', ...rest] = url.split('?');
  const text = body.toString();
  return {
    method: incoming.method ?? '',
    path,
    query: new URLSearchParams(rest.join('?')),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    body,
    text,
    json: parsed(text),
    at: performance.now(),
  };
}

function write(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
}

/** The calls of a service among what arrived, each in a line, without requests for tokens: those may be a job's. */
export function callsIn(received: readonly Received[]): readonly string[] {
  return received.filter(({ path }) => !path.startsWith('/oauth/')).map(lineOf);
}

/** A request in one line, as messages show it. */
export function lineOf({ method, path, query }: Received): string {
  const search = query.toString();
  return `${method} ${path}${search === '' ? '' : `?${search}`}`;
}
