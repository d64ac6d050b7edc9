import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** How many requests begin in a turn of the event loop. */
const mostInTurn = 32;

/** Whether a request asks whether the server is well. */
export const isProbe = ({ url = '' }: IncomingMessage): boolean => /^\/(?:healthz|readyz)(?:\?|$)/.test(url);

/**
 * Begins some of the requests that arrive together in each turn of the event loop, the first to come first, and those of
 * probes at once. When thousands of clients come back after a restart, the event loop would otherwise answer all of them
 * before it reads what arrives meanwhile, and a supervisor would take the server to be stuck.
 */
export function pacedRequests(listener: RequestListener): RequestListener {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };
  const turn = (): void => {
    isScheduled = false;
    const next = waiting.splice(0, mostInTurn);
    begun = next.length;
    // What follows from one in the same turn is done before the next one begins.
    for (const begin of next) setImmediate(begin);
    if (begun > 0) schedule();
  };
  return (request, response) => {
    if (isProbe(request)) return listener(request, response);
    schedule();
    if (waiting.length > 0 || begun === mostInTurn) {
      waiting.push(() => beginUnlessGone(listener, request, response));
      return;
    }
    begun += 1;
    listener(request, response);
  };
}

function beginUnlessGone(listener: RequestListener, request: IncomingMessage, response: ServerResponse): void {
  if (!response.closed && !response.destroyed) listener(request, response);
}
