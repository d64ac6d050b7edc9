import type { RequestListener, ServerResponse } from 'node:http';
import { isProbe } from '#bootstrap/paced-requests.ts';

/** The longest that a request waits for the end of the start, in ms. */
const maxHeldMs = 10_000;

const tooEarly: RequestListener = (_, response) => {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end('{"error":"unavailable","error_description":"The server is starting."}');
};

/**
 * Holds the requests that arrive while the server starts, since a proxy would pass a refusal on to the caller of a server
 * that is restarted. Probes of health are answered 503 at once, others after 10 s.
 */
export class HeldRequests {
  readonly listener: RequestListener;
  readonly #held = new Map<ServerResponse, (listener: RequestListener) => void>();

  constructor(maxMs = maxHeldMs) {
    this.listener = (request, response) => {
      if (isProbe(request)) return tooEarly(request, response);
      const timer = setTimeout(() => release(tooEarly), maxMs);
      const release = (listener: RequestListener): void => {
        clearTimeout(timer);
        if (this.#held.delete(response)) listener(request, response);
      };
      this.#held.set(response, release);
      response.once('close', () => release(() => undefined));
    };
  }

  /** Passes all that wait to the listener, in the order in which they came. */
  passTo(listener: RequestListener): void {
    for (const release of this.#held.values()) release(listener);
  }

  /** Answers all that wait by 503. */
  refuse(): void {
    this.passTo(tooEarly);
  }
}
