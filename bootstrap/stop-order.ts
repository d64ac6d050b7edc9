import { atMost, stopBudget } from '#bootstrap/stop-budget.ts';

/**
 * The order in which parts are closed, stage by stage; those of one stage are closed concurrently. Each part outlives
 * its users.
 */
const stages = [
  ['readiness'],
  ['streams'],
  ['server', 'requests', 'calls', 'jobs', 'outbound'],
  ['receipts'],
  ['sink', 'vault'],
  ['container'],
  ['tracing'],
  ['stores'],
] as const;

/** The functions that close the opened parts. */
export type Closers = Map<(typeof stages)[number][number], () => Promise<void> | void>;

/** Closes all opened parts, stage by stage, with a time limit per stage; a second call closes what is left. */
export async function closeAll(closers: Closers): Promise<void> {
  for (const stage of stages) {
    const closing = stage.map(async (one) => closers.get(one)?.());
    for (const one of stage) closers.delete(one);
    await atMost(stopBudget.runningMs, Promise.all(closing));
  }
}
