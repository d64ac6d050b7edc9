/**
 * The time limits of a shutdown, in ms from the end of its drain: for deliveries until they are released, for requests
 * to providers until they are cancelled (their callers get an error), for connections and jobs until they are cut, and
 * for everything until the process exits.
 */
export type StopBudget = Readonly<Record<'deliveriesMs' | 'outboundMs' | 'runningMs' | 'allMs', number>>;

/**
 * Returns the time limits after a drain of `drainMs`, during which running work could end already: container engines
 * kill after 10 s, and a drain of up to 5 s leaves the whole shutdown within that (RUN-002).
 */
export function stopBudgetAfter(drainMs: number): StopBudget {
  return {
    deliveriesMs: Math.max(1_000, 3_000 - drainMs),
    outboundMs: Math.max(2_000, 5_000 - drainMs),
    runningMs: Math.max(3_500, 6_500 - drainMs),
    allMs: Math.max(4_500, 8_000 - drainMs),
  };
}

/** Waits for the task, but at most `ms`; rethrows its error if it fails before then. */
export async function atMost(ms: number, task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([task, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
