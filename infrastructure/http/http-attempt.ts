import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'got';
import { abortedError, lateError, networkErrorOf } from '#infrastructure/http/http-errors.ts';
import type { HttpError, HttpRequest } from '#infrastructure/http/http-messages.ts';
import { startDeadline } from '#infrastructure/time/deadline.ts';

/**
 * One attempt at a request over the network. Knows whether bytes of it may have left, and ends it early when it is
 * cancelled, late, or not allowed to leave.
 */
export class HttpAttempt {
  readonly #request: HttpRequest;
  #hasLeft = false;
  #endedBy: 'cancelled' | 'late' | null = null;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  /** Whether bytes of the request may have left. */
  get sent(): HttpError['sent'] {
    return this.#hasLeft ? 'unknown' : 'no';
  }

  /** Watches the stream of the attempt until it closes; `isTimed` when its whole time is limited. */
  watch(stream: Request, isTimed: boolean): void {
    const { signal, departure, timeoutMs } = this.#request;
    const end = (why: 'cancelled' | 'late'): void => {
      this.#endedBy ??= why;
      stream.destroy(new Error(why));
    };
    const cancel = (): void => {
      if (departure === undefined || !this.#hasLeft) end('cancelled');
    };
    const cut = (): void => end('cancelled');
    const stopTimer = isTimed ? startDeadline(timeoutMs, () => end('late')) : () => {};
    signal?.addEventListener('abort', cancel, { once: true });
    departure?.cut.addEventListener('abort', cut, { once: true });
    stream.once('close', () => {
      stopTimer();
      signal?.removeEventListener('abort', cancel);
      departure?.cut.removeEventListener('abort', cut);
    });
    stream.once('request', (outgoing: ClientRequest) => {
      whenConnected(outgoing, () => {
        // The request is written to its socket right after this.
        if (departure?.begin() === false) cut();
        else this.#hasLeft = true;
      });
    });
  }

  /** Converts what the attempt threw; rethrows what is not an error of the network or the server. */
  errorOf(error: unknown): HttpError {
    if (this.#endedBy === 'cancelled') return abortedError(this.sent);
    if (this.#endedBy === 'late') return lateError(this.#request, this.sent);
    return networkErrorOf(error, this.#request, this.sent);
  }
}

/** The status and headers of an answer; header names are lower-case. */
export type Head = Readonly<{ status: number; headers: Readonly<Record<string, string>> }>;

/** Waits for the head of the answer; rejects with the stream's error. */
export function headOf(stream: Request): Promise<Head> {
  return new Promise((resolve, reject) => {
    // The listener stays: after the head, the reading loop reports errors, which must not be unhandled before it
    // starts.
    stream.on('error', reject);
    stream.once('response', (response: Response) => {
      const headers = Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
      );
      resolve({ status: response.statusCode, headers: Object.fromEntries(headers) });
    });
  });
}

/** Calls `then` when the request has a connected socket, right before it is written to it. */
function whenConnected(outgoing: ClientRequest, then: () => void): void {
  outgoing.once('socket', (socket: Socket) => {
    // A destroyed one could not be connected, or was closed by the server meanwhile.
    if (socket.destroyed) return;
    if (!socket.connecting) then();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', then);
  });
}
