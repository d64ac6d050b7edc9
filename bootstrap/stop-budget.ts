/**
 * How long what is running may take at a stop, in ms from its beginning: deliveries until they are given back, requests to
 * providers until they are broken off (whoever waits for one is told), connections and jobs until they are cut, and all of it
 * until the process ends regardless. Container engines kill after 10 s.
 */
export const stopBudget = { deliveriesMs: 3_000, outboundMs: 5_000, runningMs: 6_500, allMs: 8_000 } as const;

/** The task's end, or that so many ms have passed; what it fails with before then is thrown. */
export async function atMost(ms: number, task: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([task, patience]);
  } finally {
    clearTimeout(timer);
  }
}
