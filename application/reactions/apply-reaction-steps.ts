import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ApplyCallStep, CallEffect } from '#application/reactions/apply-call-step.ts';
import type { ApplyWriteStep } from '#application/reactions/apply-write-step.ts';
import type { Failure, FailureReason } from '#domain/operations/outcome.ts';
import type { CallStep, TellStep, WriteStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. Without `log`, runs are not counted, as in a dry run. */
type ApplyReactionStepsDependencies = Readonly<{
  write: Pick<ApplyWriteStep, 'run'>;
  call: Pick<ApplyCallStep, 'run'>;
  log: Pick<ReactionLog, 'noteRun' | 'wait'> | null;
  clock: Clock;
  /** Called with a reaction's path after a run of it was counted. */
  onRun?: (reaction: string) => void;
}>;

/** Failures of a note that a retry cannot resolve: they fail this step, and not the delivery. */
const permanent: readonly FailureReason[] = ['invalid_input', 'rejected', 'too_large', 'conflict'];

/** The maximum length of a run's stored outcome, in characters. */
const maxOutcome = 2_000;

/** Applies the steps of user-written reactions and counts their runs. */
export class ApplyReactionSteps {
  readonly #dependencies: ApplyReactionStepsDependencies;

  constructor(dependencies: ApplyReactionStepsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Applies a step and returns a line for people that names the reaction. A fault of the reaction is not returned as a
   * failure.
   */
  async run(step: WriteStep | CallStep | TellStep): Promise<Result<string, Failure>> {
    const effect = await this.#effect(step);
    const { by } = step;
    if (!effect.ok) {
      await this.#count(by, `${effect.failure.reason}: ${effect.failure.message}`, true);
      return effect;
    }
    const { line, isFault } = effect.value;
    await this.#count(by, line, isFault);
    return ok(`${by}: ${isFault ? 'fault: ' : ''}${line}`);
  }

  async #effect(step: WriteStep | CallStep | TellStep): Promise<Result<CallEffect, Failure>> {
    switch (step.do) {
      case 'write': {
        const written = await this.#dependencies.write.run(step);
        if (written.ok) return ok({ line: written.value, isFault: false });
        return permanent.includes(written.failure.reason)
          ? ok({ line: `${step.path}: ${written.failure.message}`, isFault: true })
          : written;
      }
      case 'call':
        return this.#dependencies.call.run(step);
      case 'tell':
        if (step.waits !== undefined) {
          const { log, clock } = this.#dependencies;
          await log?.wait({ ...step.waits, reaction: step.by, at: clock.now() });
        }
        return ok({ line: step.text, isFault: step.isFault });
    }
  }

  async #count(reaction: string, outcome: string, isFault: boolean): Promise<void> {
    const { log, clock, onRun } = this.#dependencies;
    await log?.noteRun({ reaction, at: clock.now(), outcome: outcome.slice(0, maxOutcome), isFault });
    onRun?.(reaction);
  }
}
