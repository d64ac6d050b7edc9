import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Why a body could not be read: it is too long, or the sender disconnected in the middle. */
export type ReadError = 'too_large' | 'aborted';

/** Bytes of a rejected body that are still read; a sender that goes on beyond them is disconnected. */
const maxDiscarded = 64 * 1024 * 1024;

/**
 * Reads and discards the rest of a body: an unread body would block its connection, and closing under a sender that still
 * writes can cost it the answer. Disconnects when too much arrives.
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
 * Reads the whole body of a request, of at most `limit` bytes. Returns at once when it is too large, and discards the rest.
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
    // The usual body is one chunk, which needs no copy.
    request.on('end', () => resolve(more.length === 0 ? (first ?? empty) : Buffer.concat([first ?? empty, ...more])));
    request.on('error', () => resolve('aborted'));
    request.on('close', () => resolve('aborted'));
  });
}

const empty = Buffer.alloc(0);

/**
 * Batches the response writes of one event-loop turn. Each single write wakes a sleeping client, and waking it costs more
 * than an answer: under load the answers of a turn then wake it once.
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
