import type { HttpAnswer, HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';

/** A request to a server of this process. Header names are in lower case; `target` is path and query as on the wire. */
export type InProcessRequest = Readonly<{
  method: HttpRequest['method'];
  target: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}>;

/** The answer of such a server; header names are in lower case. */
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
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  // Parsed as a request over a socket is: dots and blanks in the address count as they do there.
  const { pathname, search } = new URL(url);
  const answer = await server({
    method,
    target: pathname + search,
    headers: lower,
    body: await bytesOf(request.body),
  });
  return answer.body.byteLength > maxBytes
    ? { kind: 'error', reason: 'too_large', message: `The answer is larger than ${maxBytes} bytes.` }
    : { kind: 'answer', ...answer };
}

async function bytesOf(body: HttpRequest['body']): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
