/**
 * What a delivery came to for a reaction: it `ran`; its condition was `unmet`; it did everything `once` before; it was
 * `off`, or refused by an administrator; it `waits` for an administrator or a service; it `failed`, which no retry mends.
 */
export const runResults = ['ran', 'unmet', 'once', 'off', 'waits', 'failed'] as const;

/** One of the six results. */
export type RunResult = (typeof runResults)[number];

/** The result of one step of a reaction. */
export type StepResult = Exclude<RunResult, 'unmet'>;

/** What a step came to: its result, and a line for people. */
export type StepEffect = Readonly<{ line: string; result: StepResult }>;

/** What a delivery came to for one reaction, by the path of its note; `outcome` is a line for people. */
export type ReactionResult = Readonly<{ reaction: string; result: RunResult; outcome: string }>;

const worstFirst: readonly StepResult[] = ['failed', 'waits', 'ran', 'off', 'once'];

/** Returns the result of a reaction by those of its steps: the worst of them. */
export function worstOf(results: readonly StepResult[]): StepResult {
  return worstFirst.find((one) => results.includes(one)) ?? 'ran';
}

/** Whether a result counts as a run of the reaction: all do but those of one that had nothing to decide. */
export function isRun(result: RunResult): boolean {
  return result !== 'unmet' && result !== 'off';
}
