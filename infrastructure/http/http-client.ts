import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Got, Request } from 'got';
import { type Head, HttpAttempt, headOf } from '#infrastructure/http/http-attempt.ts';
import { abortedError, cutOffError, refusedError, tooLargeError } from '#infrastructure/http/http-errors.ts';
import type {
  HttpAnswer,
  HttpError,
  HttpRequest,
  HttpStream,
  LimitReader,
  RetryBounds,
} from '#infrastructure/http/http-messages.ts';
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
import { mayHaveActed, retryWaitMs } from '#infrastructure/http/retry.ts';

/**
 * Wraps the sending of a request, including its retries, for example to trace it. `isGiven` is true for a URL that a
 * user entered, which is private to them.
 */
export type AroundRequests = <Answer extends HttpAnswer | HttpStream | HttpError>(
  request: Pick<HttpRequest, 'method' | 'url'> & Readonly<{ isGiven: boolean }>,
  send: () => Promise<Answer>,
) => Promise<Answer>;

/**
 * A request being attempted: the number of this attempt, from 1, and when the first began, by `performance.now()`.
 * `sent` is that of the earlier attempts.
 */
type Trying<Answer> = Readonly<{
  request: HttpRequest;
  sent: HttpError['sent'];
  bounds: RetryBounds;
  limitIn: LimitReader;
  once: () => Promise<Answer | HttpError>;
  attempt: number;
  begunAt: number;
}>;

const noRetries: RetryBounds = { tries: 1, withinMs: 0 };
/** Idempotent methods (RFC 9110 §9.2.2). */
const harmlessTwice: readonly string[] = ['GET', 'PUT', 'DELETE'];
const statesNone: LimitReader = () => null;
const first = { attempt: 1, sent: 'no' } as const;

/**
 * Sends requests over kept-alive connections. Redirects are returned, never followed, so that a token is sent to its
 * own host only. A 429 is retried for any method; 5xx and network errors only for idempotent requests.
 */
export class HttpClient {
  readonly #random: () => number;
  readonly #underWay = new Set<Request>();
  readonly #ending = new AbortController();
  readonly #around: AroundRequests | null;
  /** The addresses that its requests may go to. */
  readonly reach: Reach;
  readonly #resolve: Resolve;
  readonly #agents: Readonly<{ http: HttpAgent; https: HttpsAgent }>;
  /** Loaded by the first request that leaves the process; not needed at start. */
  #client: Promise<Got> | null = null;
  /**
   * The clients for other reaches, each with its own connections: a kept-alive connection must not serve a request that
   * was not allowed to open it.
   */
  readonly #others = new Map<Reach, HttpClient>();

  /**
   * `random` returns jitter from 0 to 1; `resolve` looks up names; `reach` restricts the addresses that are connected
   * to; `around` wraps requests.
   */
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

  /** Returns a client whose requests are restricted to `reach`; cached per reach. */
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
   * Returns why the server at a URL is out of reach, without sending anything; null when it is within reach or cannot
   * be resolved.
   */
  rejectionOf(url: string): Promise<RefusedAddress | null> {
    return rejectionOfServer(url, this.reach, this.#resolve);
  }

  /** Returns the kind of address that a server has; null when it cannot be resolved. */
  kindOf(url: string): Promise<AddressKind | null> {
    return kindOfServer(url, this.#resolve);
  }

  /** Returns the certificate that a server presents; null when none arrives in time, or the server is out of reach. */
  certificateOf(url: string, timeoutMs: number): Promise<Certificate | null> {
    if (refusedLiteral(url, this.reach) !== null) return Promise.resolve(null);
    return peerCertificate(url, { timeoutMs, lookup: lookupWithin(this.reach, this.#resolve) });
  }

  /**
   * Sends a request, retries it within the bounds, and returns the complete answer. Errors of the network and the server are returned, never thrown. An answer in which
   * `limitIn` finds a rate limit is retried like a 429.
   */
  send(
    request: HttpRequest,
    bounds: RetryBounds = noRetries,
    limitIn: LimitReader = statesNone,
  ): Promise<HttpAnswer | HttpError> {
    const once = () => this.#overNetwork(request, false);
    return this.#watched(request, () =>
      this.#tryOver({ request, bounds, limitIn, once, ...first, begunAt: performance.now() }),
    );
  }

  /**
   * Like `send`, but returns a 2xx answer with content as a stream, which the caller must read to its end or abandon.
   */
  open(request: HttpRequest, bounds: RetryBounds = noRetries): Promise<HttpAnswer | HttpStream | HttpError> {
    const once = () => this.#overNetwork(request, true);
    const limitIn = statesNone;
    return this.#watched(request, () =>
      this.#tryOver({ request, bounds, limitIn, once, ...first, begunAt: performance.now() }),
    );
  }

  /** Cancels all requests in flight and starts no more. */
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
    trying: Trying<Answer>,
  ): Promise<Answer | HttpError> {
    const refused = this.reach === 'any' ? null : refusedLiteral(trying.request.url, this.reach);
    return refused === null ? this.#try(trying) : refusedError(refused.message);
  }

  /** Returns the result, or retries the request when the result and the bounds allow it. */
  async #try<Answer extends HttpAnswer | HttpStream | HttpError>(trying: Trying<Answer>): Promise<Answer | HttpError> {
    const { sent } = trying;
    const result = this.#ending.signal.aborted ? abortedError(sent) : await trying.once();
    const waitMs = this.#waitMsAfter(result, trying);
    if (waitMs !== null) return this.#tryAgain({ ...trying, sent: mayHaveActed(result) ? 'unknown' : sent }, waitMs);
    return result.kind === 'error' && sent === 'unknown' ? { ...result, sent } : result;
  }

  /** Returns how long to wait before the next attempt, in ms; null when the result is final. */
  #waitMsAfter(
    result: HttpAnswer | HttpStream | HttpError,
    { request, bounds, limitIn, attempt, begunAt }: Omit<Trying<never>, 'once'>,
  ): number | null {
    if (result.kind === 'stream' || isStream(request.body) || attempt >= bounds.tries) return null;
    const limit = result.kind === 'answer' ? limitIn(result) : null;
    if (result.kind === 'answer' && result.status < 400 && limit === null) return null;
    const isRepeatable = request.isRepeatable ?? harmlessTwice.includes(request.method);
    const waitMs = retryWaitMs({ isRepeatable, attempt, result, limit, random: this.#random() });
    return waitMs === null || performance.now() - begunAt + waitMs > bounds.withinMs ? null : waitMs;
  }

  async #tryAgain<Answer extends HttpAnswer | HttpStream | HttpError>(
    trying: Trying<Answer>,
    waitMs: number,
  ): Promise<Answer | HttpError> {
    const { request, attempt } = trying;
    try {
      const signals = [this.#ending.signal, ...(request.signal === undefined ? [] : [request.signal])];
      await delay(waitMs, undefined, { signal: AbortSignal.any(signals) });
    } catch {
      return abortedError(trying.sent);
    }
    return this.#try({ ...trying, attempt: attempt + 1 });
  }

  #overNetwork(request: HttpRequest, isOpened: true): Promise<HttpAnswer | HttpStream | HttpError>;
  #overNetwork(request: HttpRequest, isOpened: false): Promise<HttpAnswer | HttpError>;
  async #overNetwork(request: HttpRequest, isOpened: boolean): Promise<HttpAnswer | HttpStream | HttpError> {
    const isStreamed = isOpened || isStream(request.body);
    this.#client ??= clientOver(this.#agents);
    const client = await this.#client;
    if (this.#ending.signal.aborted || request.signal?.aborted === true) return abortedError('no');
    const attempt = new HttpAttempt(request);
    const stream = this.#start(client, request, isStreamed ? silences(request) : {});
    attempt.watch(stream, !isStreamed);
    try {
      const head = await headOf(stream);
      if (isOpened && hasContent(head)) return { kind: 'stream', ...head, body: bytesOf(stream) };
      const answer = await collect(stream, head, request.maxBytes);
      stream.destroy();
      return answer;
    } catch (error) {
      stream.destroy();
      return this.#ending.signal.aborted ? abortedError(attempt.sent) : attempt.errorOf(error);
    }
  }

  #start(client: Got, request: HttpRequest, timeout: Readonly<Record<string, number>>): Request {
    const { trust = true, body } = request;
    const stream = client.stream(request.url, {
      method: request.method,
      headers: request.headers,
      ...bodyOf(request.method, body),
      ...(trust === true ? {} : { https: tlsOptions(trust) }),
      timeout,
    });
    this.#underWay.add(stream);
    stream.once('close', () => this.#underWay.delete(stream));
    // got sends only GET without `end`: any other method waits for its body to end, even without one.
    if (body === undefined && request.method !== 'GET') stream.end();
    return stream;
  }
}

async function clientOver(agent: Readonly<{ http: HttpAgent; https: HttpsAgent }>): Promise<Got> {
  const { default: got } = await import('got');
  return got.extend({ agent, retry: { limit: 0 }, followRedirect: false, throwHttpErrors: false });
}

/** The timeouts of a streamed request: to connect, for the response head once everything is sent, and while idle. */
function silences({ timeoutMs }: HttpRequest): Readonly<Record<string, number>> {
  return { connect: timeoutMs, response: timeoutMs, socket: timeoutMs };
}

/** Returns the body option: methods other than GET wait for a body, so that an absent one is sent as empty. */
function bodyOf(method: HttpRequest['method'], body: HttpRequest['body']): { body?: string | Uint8Array | Readable } {
  if (body === undefined) return method === 'GET' ? {} : { body: '' };
  return { body: isStream(body) ? Readable.from(body, { objectMode: false }) : body };
}

function isStream(body: HttpRequest['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

/**
 * Whether an answer has content to stream. 202 and 204 have no resource of their own and are read whole, as errors are.
 */
function hasContent({ status }: Head): boolean {
  return status >= 200 && status < 300 && status !== 202 && status !== 204;
}

/** Reads the complete answer. Rejects with the stream's error, also when the answer is cut off. */
function collect(stream: Request, head: Head, maxBytes: number): Promise<HttpAnswer | HttpError> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    stream.on('data', (chunk: Uint8Array | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.byteLength;
      if (size <= maxBytes) chunks.push(bytes);
      else resolve(tooLargeError(maxBytes));
    });
    stream.once('end', () => resolve({ kind: 'answer', ...head, body: whole(chunks) }));
    if (stream.errored !== null) reject(stream.errored);
    stream.once('error', reject);
    // Complete answers close too: no error, with its stack trace, is created for them.
    stream.once('close', () => (stream.readableEnded ? undefined : reject(cutOffError())));
  });
}

/** The chunks as one; most answers are a single chunk, which need not be copied. */
function whole(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = chunks;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(chunks);
}

async function* bytesOf(stream: Request): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
