/**
 * How long running work may take at a stop, in ms from its beginning: deliveries until they are released, requests to
 * providers until they are cancelled (their callers get an error), connections and jobs until they are cut, and all of it
 * until the process ends regardless. Container engines kill after 10 s.
 */
export const stopBudget = { deliveriesMs: 3_000, outboundMs: 5_000, runningMs: 6_500, allMs: 8_000 } as const;

/** Waits for the task, but at most so many ms; an error before then is thrown. */
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
