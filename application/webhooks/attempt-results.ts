import { effectLine } from '#application/webhooks/apply-steps.ts';
import { notReached } from '#application/webhooks/delivery-reactions.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { type ReactionResult, type StepEffect, worstOf } from '#domain/reactions/run-result.ts';
import type { Step } from '#domain/reactions/step.ts';

/** Collects what the steps of one attempt came to, by reaction and for the outcome of the delivery. */
export class AttemptResults {
  readonly #effects = new Map<string, StepEffect[]>();
  readonly #failures = new Map<string, Failure>();
  readonly #lines: string[];

  /** `said` begins the outcome, if there is anything to say. */
  constructor(said: string | null) {
    this.#lines = said === null ? [] : [said];
  }

  /** Adds what a step came to. */
  add(step: Step, effect: StepEffect): void {
    this.#lines.push(effectLine(step, effect));
    if ('by' in step) this.#effects.set(step.by, [...(this.#effects.get(step.by) ?? []), effect]);
  }

  /** Adds that a reaction waits, since a step of it failed for now. */
  wait(reaction: string, failure: Failure): void {
    this.#failures.set(reaction, failure);
  }

  /** Whether a reaction waits. */
  isWaiting(reaction: string): boolean {
    return this.#failures.has(reaction);
  }

  /** The first failure for which a reaction waits; null when none does. */
  get failure(): Failure | null {
    return this.#failures.values().next().value ?? null;
  }

  /** The outcome of the delivery as a line for people. */
  get outcome(): string {
    return this.#lines.join('; ');
  }

  /** Whether a reaction failed. */
  get isFaulty(): boolean {
    return [...this.#effects.values()].some((effects) => effects.some(({ result }) => result === 'failed'));
  }

  /**
   * Returns the results of the reactions with these steps. Those that wait have failed when the delivery is given up;
   * `error` is why an attempt ended before steps that were not applied, null if it did not.
   */
  results(
    steps: readonly Step[],
    { isGivenUp, error }: Readonly<{ isGivenUp: boolean; error: string | null }>,
  ): readonly ReactionResult[] {
    const reactions = new Set(steps.flatMap((step) => ('by' in step ? [step.by] : [])));
    return [...reactions].map((reaction) => {
      const effects = this.#effects.get(reaction) ?? [];
      const failure = this.#failures.get(reaction);
      const why = failure === undefined ? `${notReached}${error}` : `${failure.reason}: ${failure.message}`;
      const isComplete = failure === undefined && (error === null || this.#isComplete(reaction, steps));
      const result = isComplete ? worstOf(effects.map((effect) => effect.result)) : isGivenUp ? 'failed' : 'waits';
      const lines = [...effects.map(({ line }) => line), ...(isComplete ? [] : [why])];
      return { reaction, result, outcome: lines.join('; ') };
    });
  }

  #isComplete(reaction: string, steps: readonly Step[]): boolean {
    const own = steps.filter((step) => 'by' in step && step.by === reaction);
    return (this.#effects.get(reaction)?.length ?? 0) === own.length;
  }
}
