import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import got, { RequestError, TimeoutError } from 'got';
import { retryWaitMs } from '#infrastructure/http/retry.ts';

/** One outgoing request. `timeoutMs` bounds each try as a whole; `maxBytes` bounds the answer's body. */
export type HttpRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  timeoutMs: number;
  maxBytes: number;
  /** False accepts any certificate; a PEM text accepts that one; true, the default, the usual authorities. */
  trust?: boolean | string;
  signal?: AbortSignal;
}>;

/** An answer with its whole body; header names are in lower case. */
export type HttpAnswer = Readonly<{
  kind: 'answer';
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}>;

/** No answer: what went wrong on the way. */
export type HttpFault = Readonly<{
  kind: 'fault';
  reason: 'timeout' | 'network' | 'too_large' | 'aborted';
  message: string;
}>;

/** How often and how long one request is tried over. */
export type RetryBounds = Readonly<{ tries: number; withinMs: number }>;

const noRetries: RetryBounds = { tries: 1, withinMs: 0 };

/**
 * Sends requests over kept-alive connections. Redirects are answers, never followed: a token goes to its own host only.
 * 429 is tried again for every method, 5xx and network faults only where a repeat changes nothing.
 */
export class HttpClient {
  readonly #agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  };
  readonly #random: () => number;

  /** `random` gives the jitter, 0 to 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Sends, and tries again within the bounds. Never throws for what a network or a server can do wrong. */
  async send(request: HttpRequest, bounds: RetryBounds = noRetries): Promise<HttpAnswer | HttpFault> {
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#sendOnce(request);
      const waitMs = retryWaitMs({ method: request.method, attempt, result, random: this.#random() });
      if (waitMs === null || attempt >= bounds.tries || waitedMs + waitMs > bounds.withinMs) return result;
      waitedMs += waitMs;
      try {
        await delay(waitMs, undefined, request.signal === undefined ? {} : { signal: request.signal });
      } catch {
        return { kind: 'fault', reason: 'aborted', message: 'The request was cancelled.' };
      }
    }
  }

  /** Closes the kept-alive connections. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #sendOnce(request: HttpRequest): Promise<HttpAnswer | HttpFault> {
    const { trust = true } = request;
    const stream = got.stream(request.url, {
      method: request.method,
      headers: { ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      agent: this.#agents,
      https: {
        rejectUnauthorized: trust !== false,
        ...(typeof trust === 'string' ? { certificateAuthority: trust, checkServerIdentity: () => undefined } : {}),
      },
      timeout: { request: request.timeoutMs },
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    try {
      return await collect(stream, request.maxBytes);
    } catch (error) {
      return faultOf(error, request);
    } finally {
      stream.destroy();
    }
  }
}

async function collect(stream: ReturnType<typeof got.stream>, maxBytes: number): Promise<HttpAnswer | HttpFault> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.byteLength;
    if (size > maxBytes) {
      return { kind: 'fault', reason: 'too_large', message: `The answer is larger than ${maxBytes} bytes.` };
    }
    chunks.push(bytes);
  }
  const response = stream.response;
  if (response === undefined) return { kind: 'fault', reason: 'network', message: 'There was no answer.' };
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return {
    kind: 'answer',
    status: response.statusCode,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

function faultOf(error: unknown, request: HttpRequest): HttpFault {
  if (request.signal?.aborted === true) {
    return { kind: 'fault', reason: 'aborted', message: 'The request was cancelled.' };
  }
  if (error instanceof TimeoutError) {
    return { kind: 'fault', reason: 'timeout', message: `There was no whole answer within ${request.timeoutMs} ms.` };
  }
  if (error instanceof RequestError) {
    return { kind: 'fault', reason: 'network', message: `The connection failed (${error.code}).` };
  }
  throw error;
}
