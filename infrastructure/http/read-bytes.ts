import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Why a body is not there: it is longer than it may be, or the sender went away in the middle. */
export type ReadFault = 'too_large' | 'aborted';

/** The whole body of a request, of at most `limit` bytes. What is too large is not read to its end. Never rejects. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | ReadFault> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    let first: Buffer | null = null;
    const more: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) {
        request.off('data', take).pause();
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
