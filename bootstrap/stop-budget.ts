/**
 * The time limits of a shutdown, in ms from its start: for deliveries until they are released, for requests to
 * providers until they are cancelled (their callers get an error), for connections and jobs until they are cut, and for
 * everything until the process exits. Container engines kill after 10 s.
 */
export const stopBudget = { deliveriesMs: 3_000, outboundMs: 5_000, runningMs: 6_500, allMs: 8_000 } as const;

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
