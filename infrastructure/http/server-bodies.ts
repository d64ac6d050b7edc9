import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Why a body could not be read: it is too large, or the client disconnected. */
export type ReadError = 'too_large' | 'aborted';

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
