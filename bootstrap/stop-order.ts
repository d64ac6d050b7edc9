import { atMost, stopBudget } from '#bootstrap/stop-budget.ts';

/** What is closed at a stop, in this order, some of it together: each part outlives what still uses it. */
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

/** The functions that close each opened part. */
export type Closers = Map<(typeof stages)[number][number], () => Promise<void> | void>;

/** Closes every opened part, stage by stage, each stage at most for as long as running work may take; a second call closes what is left. */
export async function closeAll(closers: Closers): Promise<void> {
  for (const stage of stages) {
    const closing = stage.map(async (one) => closers.get(one)?.());
    for (const one of stage) closers.delete(one);
    await atMost(stopBudget.runningMs, Promise.all(closing));
  }
}
