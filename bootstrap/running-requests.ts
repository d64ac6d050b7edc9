import type { RequestListener, ServerResponse } from 'node:http';
import { atMost } from '#bootstrap/stop-budget.ts';

const stopping = '{"error":"unavailable","error_description":"The server is stopping."}';

/** Counts the requests under way of a listener, on whatever server it is mounted. */
export class RunningRequests {
  readonly listener: RequestListener;
  readonly #running = new Set<ServerResponse>();
  #isStopping = false;
  #onIdle: () => void = () => {};

  constructor(listener: RequestListener) {
    this.listener = (request, response) => {
      if (this.#isStopping) {
        response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' });
        response.end(stopping);
        return;
      }
      this.#running.add(response);
      response.once('close', () => {
        this.#running.delete(response);
        if (this.#running.size === 0) this.#onIdle();
      });
      listener(request, response);
    };
  }

  /** Answers further requests by 503, and waits for those under way, `maxWaitMs` at most. */
  async drain(maxWaitMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    await atMost(maxWaitMs, idle);
  }
}
