import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Why a body is not there: it is longer than it may be, or the sender went away in the middle. */
export type ReadError = 'too_large' | 'aborted';

/** Bytes of a refused body that are still read; a sender that goes on beyond them is cut off. */
const maxDiscarded = 64 * 1024 * 1024;

/**
 * Reads what is left of a body that nobody wants, and forgets it: a body left standing would block its connection, and closing under a
 * sender that still writes can cost it the answer. Cuts the connection when too much comes.
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

/** The whole body of a request, of at most `limit` bytes. What is too large is told at once, and the rest discarded. Never rejects. */
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
    request.once('end', () => resolve(more.length === 0 ? (first ?? empty) : Buffer.concat([first ?? empty, ...more])));
    request.once('error', () => resolve('aborted'));
    request.once('close', () => resolve('aborted'));
  });
}

const empty = Buffer.alloc(0);
