import type { HttpAnswer, HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';

/**
 * A request to a server in this process. Header names are lower-case; `target` is the path and query as sent on the
 * wire.
 */
export type InProcessRequest = Readonly<{
  method: HttpRequest['method'];
  target: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}>;

/** The answer of such a server; header names are lower-case. */
export type InProcessAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}>;

/** A server of this process, called without a socket. It reports errors by status and throws only for a bug. */
export type InProcessServer = (request: InProcessRequest) => Promise<InProcessAnswer>;

/**
 * Sends a request to a server of this process as over a socket: with the request's timeout, its signal and `ending`, and
 * its bound on the answer. Work that the server has begun goes on to its end all the same.
 */
export function askInProcess(
  server: InProcessServer,
  request: HttpRequest,
  ending: AbortSignal,
): Promise<HttpAnswer | HttpError> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, signal } = request;
    const settle = (result: HttpAnswer | HttpError): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      ending.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = () => settle({ kind: 'error', reason: 'aborted', message: 'The request was cancelled.' });
    const timeout = `There was no whole answer within ${timeoutMs} ms.`;
    const timer = setTimeout(() => settle({ kind: 'error', reason: 'timeout', message: timeout }), timeoutMs);
    if (signal?.aborted === true || ending.aborted) return abort();
    signal?.addEventListener('abort', abort);
    ending.addEventListener('abort', abort);
    asked(server, request).then(settle, (error: unknown) => {
      abort();
      reject(error);
    });
  });
}

async function asked(server: InProcessServer, request: HttpRequest): Promise<HttpAnswer | HttpError> {
  const { method, url, headers, maxBytes } = request;
  const lower = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) lower.set(name.toLowerCase(), value);
  const answer = await server({
    method,
    target: targetOf(url),
    headers: lower,
    body: isStream(request.body) ? await collected(request.body) : bytesOf(request.body),
  });
  return answer.body.byteLength > maxBytes
    ? { kind: 'error', reason: 'too_large', message: `The answer is larger than ${maxBytes} bytes.` }
    : { kind: 'answer', ...answer };
}

/** Returns the path and query as sent on the wire, normalized by the URL parser. */
function targetOf(url: string): string {
  const plain = plainAddress.exec(url)?.[1];
  if (plain !== undefined) return plain;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Matches URLs whose path needs no normalization: no segment starts with a dot, encoded or not. */
const plainAddress = /^https?:\/\/[\w.:-]+((?:\/(?!\.|%2e)[\w.~%-]+)+)$/i;

type Body = HttpRequest['body'];
type Stream = AsyncIterable<Uint8Array>;

function isStream(body: Body): body is Stream {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}

const empty = Buffer.alloc(0);

function bytesOf(body: Exclude<Body, Stream>): Buffer {
  if (body === undefined) return empty;
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

async function collected(body: Stream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
