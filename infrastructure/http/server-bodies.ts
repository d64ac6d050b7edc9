import { Buffer } from 'node:buffer';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** Why a body could not be read: it is too large, or the client disconnected. */
type ReadError = 'too_large' | 'aborted';

/** How many bytes of a rejected body are read and discarded before the client is disconnected. */
const maxDiscarded = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body: an unread body would block its connection, and closing the connection while
 * the client still writes may lose the answer. Disconnects when too much arrives.
 */
export function discardRest(request: IncomingMessage): void {
  let left = maxDiscarded;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
  request.on('error', () => undefined);
  request.resume();
}

/**
 * Reads a request's complete body of at most `limit` bytes. Returns as soon as it is too large, and discards the rest.
 * Never rejects.
 */
export function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | ReadError> {
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    discardRest(request);
    return Promise.resolve('too_large');
  }
  return new Promise((resolve) => {
    let first: Buffer | null = null;
    const more: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) {
        request.off('data', take);
        discardRest(request);
        resolve('too_large');
      } else if (first === null) first = chunk;
      else more.push(chunk);
    };
    request.on('data', take);
    // Most bodies are a single chunk, which need not be copied.
    request.on('end', () => resolve(more.length === 0 ? (first ?? empty) : Buffer.concat([first ?? empty, ...more])));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

const empty = Buffer.alloc(0);

/** How long a request's body may take to arrive, in ms: usually, and for an upload. */
type BodyTimes = Readonly<{ bodyMs: number; uploadMs: number }>;

/** Enough for 4 MiB at 1.2 Mbit/s, and for an upload of 512 MiB at 5 Mbit/s. */
const usualTimes: BodyTimes = { bodyMs: 30_000, uploadMs: 900_000 };

/** Gives a request whose body is arriving more time, by its message. */
const extensions = new WeakMap<IncomingMessage, () => void>();

const tooSlow = '{"error":"timeout","error_description":"The body took too long to arrive."}';

/**
 * Ends requests whose body does not arrive in time, with 408: each would hold a connection, and what its route holds
 * meanwhile, for as long as its sender likes (EDGE-017).
 */
export function limitBodies(listener: RequestListener, times = usualTimes): RequestListener {
  return (request, response) => {
    if (hasBody(request)) limitBody(request, response, times);
    listener(request, response);
  };
}

/** Gives the request the time that an upload may take, from now on; called once it is known who sends it. */
export function allowUpload(request: IncomingMessage): void {
  extensions.get(request)?.();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function limitBody(request: IncomingMessage, response: ServerResponse, { bodyMs, uploadMs }: BodyTimes): void {
  const end = () => endSlow(request, response);
  let timer = setTimeout(end, bodyMs);
  extensions.set(request, () => {
    clearTimeout(timer);
    if (!request.closed) timer = setTimeout(end, uploadMs);
  });
  // A request is closed when its body has arrived and was read, or its connection has ended.
  request.once('close', () => clearTimeout(timer));
}

function endSlow(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  if (response.headersSent) {
    request.destroy();
    return;
  }
  response.writeHead(408, { 'content-type': 'application/json', connection: 'close' });
  response.end(tooSlow, () => request.destroy());
}

/**
 * Batches the response writes of one event-loop turn: each write on its own would wake a sleeping client, which costs
 * more than the answer itself; under load a batch wakes it once.
 */
export function endTogether(end: () => void): void {
  if (waiting.push(end) === 1) setImmediate(endAll);
}

let waiting: (() => void)[] = [];

function endAll(): void {
  const ending = waiting;
  waiting = [];
  for (const end of ending) end();
}
