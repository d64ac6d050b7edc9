import type { ServerResponse } from 'node:http';
import { Heartbeats } from '#infrastructure/time/heartbeats.ts';

/** The stream's options: the heartbeat interval, and how many bytes a slow reader may leave unread. */
export type EventStreamOptions = Readonly<{ heartbeatMs?: number; maxBacklogBytes?: number }>;

/** One timer for all streams with the same heartbeat interval. */
const hearts = new Map<number, Heartbeats>();

function heartOf(periodMs: number): Heartbeats {
  const heart = hearts.get(periodMs) ?? new Heartbeats(periodMs);
  hearts.set(periodMs, heart);
  return heart;
}

/** Sends server-sent events (HTML Living Standard, Server-sent events) as one response. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #maxBacklogBytes: number;
  readonly #stopHeartbeat: () => void;

  /**
   * Sends the response head immediately. A comment every 15 s (by default) keeps proxies from closing an idle
   * connection.
   */
  constructor(response: ServerResponse, { heartbeatMs = 15_000, maxBacklogBytes = 4 << 20 }: EventStreamOptions = {}) {
    this.#response = response;
    this.#maxBacklogBytes = maxBacklogBytes;
    response.socket?.setTimeout(0);
    response.socket?.setNoDelay(true);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    this.#stopHeartbeat = heartOf(heartbeatMs).add(() => this.#write(': still here\n\n'));
    response.once('close', this.#stopHeartbeat);
  }

  /** Sends an event; false when the stream has ended. A reader that leaves too much unread is disconnected. */
  send(event: string, data: string): boolean {
    return this.#write(`event: ${event}\ndata: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`);
  }

  /** Ends the stream after everything sent so far. */
  end(): void {
    this.#stopHeartbeat();
    if (!this.#response.writableEnded) this.#response.end();
  }

  /** Registers a callback for the end of the stream; called immediately when it has ended. */
  onClose(run: () => void): void {
    if (this.#response.closed || this.#response.destroyed) run();
    else this.#response.once('close', run);
  }

  #write(text: string): boolean {
    if (this.#response.writableEnded || this.#response.destroyed) return false;
    this.#response.write(text);
    if (this.#response.writableLength <= this.#maxBacklogBytes) return true;
    this.#response.destroy();
    return false;
  }
}
