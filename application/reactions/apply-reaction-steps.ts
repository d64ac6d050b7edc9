import type { Clock } from '#application/ports/clock.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ApplyCallStep } from '#application/reactions/apply-call-step.ts';
import type { ApplyWriteStep } from '#application/reactions/apply-write-step.ts';
import type { Failure, FailureReason } from '#domain/operations/outcome.ts';
import type { StepEffect } from '#domain/reactions/run-result.ts';
import type { CallStep, TellStep, WriteStep } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The dependencies of the use case. Without `log`, nothing is recorded as waiting, as in a dry run. */
type ApplyReactionStepsDependencies = Readonly<{
  write: Pick<ApplyWriteStep, 'run'>;
  call: Pick<ApplyCallStep, 'run'>;
  log: Pick<ReactionLog, 'wait'> | null;
  clock: Clock;
}>;

/** Failures of a note that a retry cannot resolve: they fail this step, and not the delivery. */
const permanent: readonly FailureReason[] = ['invalid_input', 'rejected', 'too_large', 'conflict'];

/** Applies the steps of user-written reactions. */
export class ApplyReactionSteps {
  readonly #dependencies: ApplyReactionStepsDependencies;

  constructor(dependencies: ApplyReactionStepsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Applies a step and returns what it came to. A fault of the reaction is not returned as a failure. */
  async run(step: WriteStep | CallStep | TellStep): Promise<Result<StepEffect, Failure>> {
    switch (step.do) {
      case 'write': {
        const written = await this.#dependencies.write.run(step);
        if (written.ok || !permanent.includes(written.failure.reason)) return written;
        return ok({ line: `${step.path}: ${written.failure.message}`, result: 'failed' });
      }
      case 'call':
        return this.#dependencies.call.run(step);
      case 'tell':
        return ok(await this.#tell(step));
    }
  }

  async #tell({ by, text, isFault, waits }: TellStep): Promise<StepEffect> {
    if (waits === undefined) return { line: text, result: isFault ? 'failed' : 'ran' };
    const { log, clock } = this.#dependencies;
    await log?.wait({ ...waits, reaction: by, at: clock.now() });
    return { line: text, result: 'waits' };
  }
}
