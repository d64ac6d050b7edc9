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
