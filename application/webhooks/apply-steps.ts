import type { ApplyReactionSteps } from '#application/reactions/apply-reaction-steps.ts';
import type { ApplyNoteStep, NoteEffect } from '#application/webhooks/apply-note-step.ts';
import type { ApplyPushStep, PushEffect } from '#application/webhooks/apply-push-step.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { StepEffect } from '#domain/reactions/run-result.ts';
import type { Step } from '#domain/reactions/step.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** Applies any step: to the vault, to the suite CRM, or as part of a user-written reaction. */
export class ApplySteps {
  readonly #note: ApplyNoteStep;
  readonly #push: ApplyPushStep;
  readonly #written: Pick<ApplyReactionSteps, 'run'> | null;

  /** Creates the use case; `written` applies the steps of user-written reactions, null when they are not supported. */
  constructor(note: ApplyNoteStep, push: ApplyPushStep, written: Pick<ApplyReactionSteps, 'run'> | null = null) {
    this.#note = note;
    this.#push = push;
    this.#written = written;
  }

  /**
   * Applies a step and returns what it came to, with a line for people: 'updated Deals/Acme.md: status, History'.
   * Failures are those of the services.
   */
  async run(step: Step): Promise<Result<StepEffect, Failure>> {
    switch (step.do) {
      case 'note': {
        const effect = await this.#note.run(step);
        return effect.ok ? ok({ line: noteLine(effect.value), result: 'ran' }) : effect;
      }
      case 'push': {
        const effect = await this.#push.run(step);
        return effect.ok ? ok({ line: pushLine(effect.value), result: 'ran' }) : effect;
      }
      case 'write':
      case 'call':
      case 'tell':
        if (this.#written === null) throw new Error(`Nothing applies the steps of ${step.by} here.`);
        return this.#written.run(step);
    }
  }
}

/** Returns the line of a step for the outcome of its delivery, with the reaction that it is a step of. */
export function effectLine(step: Step, { line, result }: StepEffect): string {
  return 'by' in step ? `${step.by}: ${faultLine({ line, result })}` : line;
}

/** Returns the line of a step, marked when it failed. */
export function faultLine({ line, result }: StepEffect): string {
  return result === 'failed' ? `fault: ${line}` : line;
}

function noteLine({ path, how, changed }: NoteEffect): string {
  const what = how === 'updated' && changed.length > 0 ? `: ${changed.join(', ')}` : '';
  return `${how}${path === null ? '' : ` ${path}`}${what}`;
}

function pushLine({ remoteId, how }: PushEffect): string {
  return `${how} suite CRM record ${remoteId}`;
}
