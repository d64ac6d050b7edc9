/**
 * Runs what ends a response at the end of this turn of the event loop, together with all others of the turn. A client that sleeps is
 * woken by each write alone, and to wake it costs more than an answer: under load the answers of a turn then wake it once.
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
