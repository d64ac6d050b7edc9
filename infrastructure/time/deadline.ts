/** How late a timer has to be, in ms, to show that the process stood still. */
const standstillMs = 500;
/** How long what arrived during a standstill has to be handled, in ms. */
const graceMs = 1_000;

/**
 * Calls `end` after `ms` and returns a function that cancels it. If the process or machine stood still meanwhile, what
 * arrived in that time is handled first.
 */
export function startDeadline(ms: number, end: () => void): () => void {
  const dueAt = performance.now() + ms;
  const isOver = (): void => {
    if (performance.now() - dueAt < standstillMs) end();
    else timer = setTimeout(end, graceMs);
  };
  let timer = setTimeout(isOver, ms);
  return () => clearTimeout(timer);
}
