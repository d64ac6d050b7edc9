import type { Effect } from '#domain/operations/effect.ts';
import type { Failure, Outcome, Sent } from '#domain/operations/outcome.ts';

/** What the requests of one operation did, of those that do more than read. */
export class SentEffects {
  #sent: Sent = 'no';

  /** Notes the outcome of one request. A request that took effect leaves it open what the whole operation did. */
  note(effect: Effect, outcome: Outcome): void {
    if (effect === 'read') return;
    if (outcome.ok || outcome.sent === 'unknown') this.#sent = 'unknown';
    else if (this.#sent === 'no') this.#sent = outcome.sent;
  }

  /** Returns the failure of the whole operation, which says what all its requests did. */
  of(failure: Failure): Failure {
    return { ...failure, sent: this.#sent };
  }
}
