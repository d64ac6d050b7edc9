import { atMost, stopBudgetAfter } from '#bootstrap/stop/stop-budget.ts';

/**
 * The order in which parts are closed, stage by stage; those of one stage are closed concurrently. Each part outlives
 * its users.
 */
const stages = [
  ['readiness'],
  ['drain'],
  ['streams'],
  ['server', 'requests', 'calls', 'jobs', 'outbound'],
  ['receipts'],
  ['sink', 'vault'],
  ['container'],
  ['tracing'],
  ['stores'],
] as const;

type Part = (typeof stages)[number][number];

/** The functions that close the opened parts. */
export type Closers = Map<Part, () => Promise<void> | void>;

/**
 * Closes all opened parts, stage by stage, with a time limit per stage but the drain, which has its own; a second call
 * closes what is left.
 */
export async function closeAll(closers: Closers): Promise<void> {
  for (const stage of stages) {
    const closing = stage.map(async (one: Part) => closers.get(one)?.());
    for (const one of stage) closers.delete(one);
    const closed = Promise.all(closing);
    await (stage[0] === 'drain' ? closed : atMost(stopBudgetAfter(0).runningMs, closed));
  }
}
