import type { ApplyReactionSteps } from '#application/reactions/apply-reaction-steps.ts';
import type { ApplyNoteStep, NoteEffect } from '#application/webhooks/apply-note-step.ts';
import type { ApplyPushStep, PushEffect } from '#application/webhooks/apply-push-step.ts';
import type { Failure } from '#domain/operations/outcome.ts';
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
   * Applies a step and returns a line for people: 'updated Deals/Acme.md: status, History'. Failures are those of the
   * services.
   */
  async run(step: Step): Promise<Result<string, Failure>> {
    switch (step.do) {
      case 'note': {
        const effect = await this.#note.run(step);
        return effect.ok ? ok(noteLine(effect.value)) : effect;
      }
      case 'push': {
        const effect = await this.#push.run(step);
        return effect.ok ? ok(pushLine(effect.value)) : effect;
      }
      case 'write':
      case 'call':
      case 'tell':
        if (this.#written === null) throw new Error(`Nothing applies the steps of ${step.by} here.`);
        return this.#written.run(step);
    }
  }
}

function noteLine({ path, how, changed }: NoteEffect): string {
  const what = how === 'updated' && changed.length > 0 ? `: ${changed.join(', ')}` : '';
  return `${how}${path === null ? '' : ` ${path}`}${what}`;
}

function pushLine({ remoteId, how }: PushEffect): string {
  return `${how} suite CRM record ${remoteId}`;
}
