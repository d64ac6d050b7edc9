import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Got, Request, Response } from 'got';
import { aborted, errorOf, refusedError } from '#infrastructure/http/http-errors.ts';
import type {
  HttpAnswer,
  HttpError,
  HttpRequest,
  HttpStream,
  LimitReader,
  RetryBounds,
} from '#infrastructure/http/http-messages.ts';
import { askInProcess, type InProcessServer } from '#infrastructure/http/in-process.ts';
import type { AddressKind } from '#infrastructure/http/ip-address.ts';
import { type Certificate, peerCertificate, tlsOptions } from '#infrastructure/http/peer-certificate.ts';
import {
  kindOfServer,
  lookupWithin,
  type Reach,
  type RefusedAddress,
  type Resolve,
  refusedLiteral,
  rejectionOfServer,
  systemResolve,
} from '#infrastructure/http/reach.ts';
import { retryWaitMs } from '#infrastructure/http/retry.ts';

/**
 * Runs what sends a request and tries it again; it may watch both. `isGiven` is true for an address that people give, which
 * is theirs alone.
 */
export type AroundRequests = <Answer extends HttpAnswer | HttpStream | HttpError>(
  request: Pick<HttpRequest, 'method' | 'url'> & Readonly<{ isGiven: boolean }>,
  send: () => Promise<Answer>,
) => Promise<Answer>;

const noRetries: RetryBounds = { tries: 1, withinMs: 0 };
/** Idempotent methods (RFC 9110 §9.2.2). */
const harmlessTwice: readonly string[] = ['GET', 'PUT', 'DELETE'];
const statesNone: LimitReader = () => null;

/**
 * Sends requests over kept-alive connections. Redirects are answers, never followed: a token goes to its own host only. 429
 * is retried whatever the method, 5xx and network errors only for idempotent requests.
 */
export class HttpClient {
  readonly #random: () => number;
  readonly #underWay = new Set<Request>();
  readonly #ending = new AbortController();
  readonly #around: AroundRequests | null;
  /** Which addresses its requests may go to. */
  readonly reach: Reach;
  readonly #resolve: Resolve;
  readonly #agents: Readonly<{ http: HttpAgent; https: HttpsAgent }>;
  /** Loaded with the first request that leaves the process: a start needs none. */
  #client: Promise<Got> | null = null;
  /** Servers of this process, by the origin that they answer for. */
  readonly #inProcess = new Map<string, InProcessServer>();
  /** Clients of other reaches: a kept-alive connection never serves a request that could not have opened it. */
  readonly #others = new Map<Reach, HttpClient>();

  /** `random` gives the jitter, 0 to 1; `resolve` the addresses of names; `reach` bounds which of them are connected to; `around` watches requests. */
  constructor(
    random: () => number = Math.random,
    {
      resolve = systemResolve,
      reach = 'any',
      around = null,
    }: Readonly<{ resolve?: Resolve; reach?: Reach; around?: AroundRequests | null }> = {},
  ) {
    this.#random = random;
    this.#around = around;
    this.reach = reach;
    this.#resolve = resolve;
    const options = { keepAlive: true, lookup: lookupWithin(reach, resolve) };
    this.#agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  }

  /** A client whose requests go no further than `reach`; one for each reach. */
  within(reach: Reach): HttpClient {
    if (reach === this.reach) return this;
    const known = this.#others.get(reach);
    if (known !== undefined) return known;
    const client = new HttpClient(this.#random, { resolve: this.#resolve, reach, around: this.#around });
    if (this.#ending.signal.aborted) client.abort();
    this.#others.set(reach, client);
    return client;
  }

  /**
   * Routes requests to an origin to a server of this process from now on, without a socket. Applies to this client's
   * requests only: those of `within`, whose addresses people give, go to the network.
   */
  answerInProcess(origin: string, server: InProcessServer): void {
    this.#inProcess.set(origin, server);
  }

  /** Why the server at an address is out of reach, checked without sending anything; null when it is within reach, or cannot be found. */
  rejectionOf(url: string): Promise<RefusedAddress | null> {
    return rejectionOfServer(url, this.reach, this.#resolve);
  }

  /** Whether the server at an address is on the internet; null when it cannot be found. */
  kindOf(url: string): Promise<AddressKind | null> {
    return kindOfServer(url, this.#resolve);
  }

  /** The certificate that a server presents; null when none arrives in time, or the server is out of reach. */
  certificateOf(url: string, timeoutMs: number): Promise<Certificate | null> {
    if (refusedLiteral(url, this.reach) !== null) return Promise.resolve(null);
    return peerCertificate(url, { timeoutMs, lookup: lookupWithin(this.reach, this.#resolve) });
  }

  /**
   * Sends a request, retries it within the bounds and returns the whole answer. Never throws for errors of the network or
   * the server. An answer in which `limitIn` finds a rate limit is retried as a 429 is.
   */
  send(
    request: HttpRequest,
    bounds: RetryBounds = noRetries,
    limitIn: LimitReader = statesNone,
  ): Promise<HttpAnswer | HttpError> {
    return this.#watched(request, () =>
      this.#tryOver(request, { ...bounds, limitIn }, () => this.#sendOnce(request, false)),
    );
  }

  /** As `send`, but a 2xx answer with content comes as a stream; the caller reads it to its end or breaks off. */
  open(request: HttpRequest, bounds: RetryBounds = noRetries): Promise<HttpAnswer | HttpStream | HttpError> {
    return this.#watched(request, () =>
      this.#tryOver(request, { ...bounds, limitIn: statesNone }, () => this.#sendOnce(request, true)),
    );
  }

  /** Cancels every request under way, and begins no more. */
  abort(): void {
    this.#ending.abort();
    for (const other of this.#others.values()) other.abort();
    for (const stream of this.#underWay) stream.destroy(new Error('broken off'));
  }

  /** Closes the kept-alive connections. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
    for (const other of this.#others.values()) other.close();
  }

  #watched<Answer extends HttpAnswer | HttpStream | HttpError>(
    { method, url }: HttpRequest,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    return this.#around === null ? send() : this.#around({ method, url, isGiven: this.reach !== 'any' }, send);
  }

  async #tryOver<Answer extends HttpAnswer | HttpStream | HttpError>(
    request: HttpRequest,
    { tries, withinMs, limitIn }: RetryBounds & Readonly<{ limitIn: LimitReader }>,
    once: () => Promise<Answer>,
  ): Promise<Answer | HttpError> {
    const refused = this.reach === 'any' ? null : refusedLiteral(request.url, this.reach);
    if (refused !== null) return refusedError(refused.message);
    const canRepeat = !isStream(request.body);
    const isRepeatable = request.isRepeatable ?? harmlessTwice.includes(request.method);
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const result = this.#ending.signal.aborted ? aborted : await once();
      if (result.kind === 'stream' || !canRepeat || attempt >= tries) return result;
      const limit = result.kind === 'answer' ? limitIn(result) : null;
      if (result.kind === 'answer' && result.status < 400 && limit === null) return result;
      const waitMs = retryWaitMs({ isRepeatable, attempt, result, limit, random: this.#random() });
      if (waitMs === null || waitedMs + waitMs > withinMs) return result;
      waitedMs += waitMs;
      try {
        const signals = [this.#ending.signal, ...(request.signal === undefined ? [] : [request.signal])];
        await delay(waitMs, undefined, { signal: AbortSignal.any(signals) });
      } catch {
        return aborted;
      }
    }
  }

  #sendOnce(request: HttpRequest, isOpened: true): Promise<HttpAnswer | HttpStream | HttpError>;
  #sendOnce(request: HttpRequest, isOpened: false): Promise<HttpAnswer | HttpError>;
  #sendOnce(request: HttpRequest, isOpened: boolean): Promise<HttpAnswer | HttpStream | HttpError> {
    const inProcess = this.#serverOf(request);
    return inProcess === undefined
      ? this.#overNetwork(request, isOpened)
      : askInProcess(inProcess, request, this.#ending.signal);
  }

  async #overNetwork(request: HttpRequest, isOpened: boolean): Promise<HttpAnswer | HttpStream | HttpError> {
    const isStreamed = isOpened || isStream(request.body);
    this.#client ??= clientOver(this.#agents);
    const client = await this.#client;
    if (this.#ending.signal.aborted) return aborted;
    const stream = this.#start(client, request, isStreamed ? silences(request) : { request: request.timeoutMs });
    try {
      const head = await headOf(stream);
      if (isOpened && hasContent(head)) return { kind: 'stream', ...head, body: bytesOf(stream) };
      const answer = await collect(stream, head, request.maxBytes);
      stream.destroy();
      return answer;
    } catch (error) {
      stream.destroy();
      return this.#ending.signal.aborted ? aborted : errorOf(error, request);
    }
  }

  #serverOf({ url }: HttpRequest): InProcessServer | undefined {
    return this.#inProcess.size === 0 ? undefined : this.#inProcess.get(originOf(url));
  }

  #start(client: Got, request: HttpRequest, timeout: Readonly<Record<string, number>>): Request {
    const { trust = true, body } = request;
    const stream = client.stream(request.url, {
      method: request.method,
      headers: request.headers,
      ...bodyOf(request.method, body),
      ...(trust === true ? {} : { https: tlsOptions(trust) }),
      timeout,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    this.#underWay.add(stream);
    stream.once('close', () => this.#underWay.delete(stream));
    // Only GET is sent without `end`: any other method waits for its body to end, also for one that never comes.
    if (body === undefined && request.method !== 'GET') stream.end();
    return stream;
  }
}

async function clientOver(agent: Readonly<{ http: HttpAgent; https: HttpsAgent }>): Promise<Got> {
  const { default: got } = await import('got');
  return got.extend({ agent, retry: { limit: 0 }, followRedirect: false, throwHttpErrors: false });
}

/** The timeouts of a streamed request: to connect, for the answer's head once all is sent, and for every silence. */
function silences({ timeoutMs }: HttpRequest): Readonly<Record<string, number>> {
  return { connect: timeoutMs, response: timeoutMs, socket: timeoutMs };
}

/** The body option: a request that may have a body waits for one, so that one without gets an empty body. */
function bodyOf(method: HttpRequest['method'], body: HttpRequest['body']): { body?: string | Uint8Array | Readable } {
  if (body === undefined) return method === 'GET' ? {} : { body: '' };
  return { body: isStream(body) ? Readable.from(body, { objectMode: false }) : body };
}

type Head = Readonly<{ status: number; headers: Readonly<Record<string, string>> }>;

function isStream(body: HttpRequest['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/** Whether an answer has content to stream. 202 and 204 have none of their own: they are read whole, as an error is. */
function hasContent({ status }: Head): boolean {
  return status >= 200 && status < 300 && status !== 202 && status !== 204;
}

function headOf(stream: Request): Promise<Head> {
  return new Promise((resolve, reject) => {
    // The listener stays: the reading loop reports an error after the head, which must not be unhandled before it.
    stream.on('error', reject);
    stream.once('response', (response: Response) => {
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
      }
      resolve({ status: response.statusCode, headers });
    });
  });
}

/** The whole answer. Rejects with the error of its stream, also of one that was cut off. */
function collect(stream: Request, head: Head, maxBytes: number): Promise<HttpAnswer | HttpError> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    stream.on('data', (chunk: Uint8Array | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.byteLength;
      if (size <= maxBytes) chunks.push(bytes);
      else resolve({ kind: 'error', reason: 'too_large', message: `The answer is larger than ${maxBytes} bytes.` });
    });
    stream.once('end', () => resolve({ kind: 'answer', ...head, body: Buffer.concat(chunks) }));
    if (stream.errored !== null) reject(stream.errored);
    stream.once('error', reject);
    stream.once('close', () => {
      // A whole answer is closed too: an error for each of them would cost a stack.
      if (!stream.readableEnded) reject(Object.assign(new Error('The answer was cut off.'), { code: 'ECONNRESET' }));
    });
  });
}

async function* bytesOf(stream: Request): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Scheme and host of an absolute address, as spelled there. */
function originOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? url : url.slice(0, slash);
}
