import { abortedError, lateError, tooLargeError } from '#infrastructure/http/http-errors.ts';
import type { HttpAnswer, HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { startDeadline } from '#infrastructure/time/deadline.ts';

/**
 * A request to a server in this process. Header names are lower-case; `target` is the path and query as sent on the
 * wire.
 */
export type InProcessRequest = Readonly<{
  method: HttpRequest['method'];
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** The answer of such a server; header names are lower-case. */
export type InProcessAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}>;

/**
 * A server in this process, called without a socket. May answer synchronously. Reports errors by status; throws only
 * for bugs.
 */
export type InProcessServer = (request: InProcessRequest) => InProcessAnswer | Promise<InProcessAnswer>;

type Asked = HttpAnswer | HttpError;

/**
 * Sends a request to a server in this process with the semantics of a socket: the request's timeout and signal,
 * `ending`, and the limit on the answer's size. A cancelled request does not stop the server's work. A synchronous
 * answer is returned synchronously.
 */
export function askInProcess(
  server: InProcessServer,
  request: HttpRequest,
  ending: AbortSignal,
): Asked | Promise<Asked> {
  if (request.signal?.aborted === true || ending.aborted) return abortedError('no');
  const { body } = request;
  const answered = isStream(body)
    ? collected(body).then((bytes) => ask(server, request, bytes))
    : ask(server, request, bytesOf(body));
  return answered instanceof Promise ? withinTime(answered, request, ending) : answered;
}

/** Waits for an answer until the request's timeout, or until it is cancelled. */
function withinTime(answered: Promise<Asked>, request: HttpRequest, ending: AbortSignal): Promise<Asked> {
  const { timeoutMs, signal, departure } = request;
  const cancels = [departure === undefined ? signal : departure.cut, ending].filter((one) => one !== undefined);
  return new Promise((resolve, reject) => {
    const settle = (result: Asked): void => {
      stopTimer();
      for (const one of cancels) one.removeEventListener('abort', abort);
      resolve(result);
    };
    const abort = () => settle(abortedError('unknown'));
    const stopTimer = startDeadline(timeoutMs, () => settle(lateError(request, 'unknown')));
    for (const one of cancels) one.addEventListener('abort', abort);
    answered.then(settle, (error: unknown) => {
      abort();
      reject(error);
    });
  });
}

function ask(server: InProcessServer, request: HttpRequest, body: Buffer): Asked | Promise<Asked> {
  const { method, url, headers, maxBytes, departure } = request;
  if (departure?.begin() === false) return abortedError('no');
  const answer = server({ method, target: targetOf(url), headers: inLowerCase(headers), body });
  return answer instanceof Promise ? answer.then((late) => bounded(late, maxBytes)) : bounded(answer, maxBytes);
}

function bounded({ status, headers, body }: InProcessAnswer, maxBytes: number): Asked {
  return body.byteLength > maxBytes ? tooLargeError(maxBytes) : { kind: 'answer', status, headers, body };
}

/** Returns the headers with lower-case names; the same object when all names are lower-case already. */
function inLowerCase(headers: HttpRequest['headers']): HttpRequest['headers'] {
  if (Object.keys(headers).every((name) => name === name.toLowerCase())) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
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
