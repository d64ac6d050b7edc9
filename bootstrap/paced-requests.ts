import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** How many of the requests that wait begin in a turn of the event loop. */
const mostInTurn = 32;
/** How long requests wait for further connections to be accepted first, in ms; after that they begin for as long. */
const maxHoldMs = 1_000;

/** Whether a request asks whether the server is well. */
export const isProbe = ({ url = '' }: IncomingMessage): boolean => /^\/(?:healthz|readyz)(?:\?|$)/.test(url);

/**
 * Begins some of the requests that arrive together in each turn of the event loop, the first to come first, and those of
 * probes at once. Node accepts one connection in a turn: when thousands of clients come back after a restart, a probe's
 * connection would otherwise be accepted after theirs, each behind a turn full of requests. So connections are accepted
 * before requests that wait begin, for a moment.
 */
export class PacedRequests {
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isScheduled = false;
  #hasAccepted = false;
  #heldSince: number | null = null;
  #heldAgainFrom = 0;

  /** Has to be called for each connection that is accepted. */
  accepted(): void {
    this.#hasAccepted = true;
    this.#schedule();
  }

  /** Passes requests on at this pace. */
  to(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (isProbe(request)) return listener(request, response);
      this.#schedule();
      if (this.#hasAccepted || this.#waiting.length > 0 || this.#begun === mostInTurn) {
        this.#waiting.push(() => beginUnlessGone(listener, request, response));
        return;
      }
      this.#begun += 1;
      listener(request, response);
    };
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    const isHeld = this.#waiting.length > 0 && this.#holds();
    this.#hasAccepted = false;
    if (!isHeld) this.#heldSince = null;
    if (this.#waiting.length === 0) return;
    this.#schedule();
    if (isHeld) return;
    const next = this.#waiting.splice(0, mostInTurn);
    this.#begun = next.length;
    // What follows from one in the same turn is done before the next one begins.
    for (const begin of next) setImmediate(begin);
  }

  /** Whether requests wait, since a connection was accepted and others may be there. */
  #holds(): boolean {
    if (!this.#hasAccepted) return false;
    const now = performance.now();
    if (now < this.#heldAgainFrom) return false;
    this.#heldSince ??= now;
    if (now - this.#heldSince < maxHoldMs) return true;
    this.#heldAgainFrom = now + maxHoldMs;
    return false;
  }
}

function beginUnlessGone(listener: RequestListener, request: IncomingMessage, response: ServerResponse): void {
  if (!response.closed && !response.destroyed) listener(request, response);
}
