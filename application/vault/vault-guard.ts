import type { Logger } from '#application/ports/logger.ts';
import { StillReading } from '#application/ports/vault-folder.ts';
import { problemOf, type VaultProblem } from '#application/vault/problems.ts';
import type { Awaitable } from '#domain/shared/result.ts';

/**
 * The door that every call of the team's vault passes, whichever way it comes: closed while the folder is away and once
 * the vault is being closed. What a call throws becomes a problem.
 */
export class VaultGuard {
  readonly #trouble: () => string | null;
  readonly #logger: Logger;
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosed = false;

  /** `trouble` returns why the folder cannot be used now, as sentences; null when it can. */
  constructor(trouble: () => string | null, logger: Logger) {
    this.#trouble = trouble;
    this.#logger = logger;
  }

  /** Runs a call, or refuses it; synchronously when there is nothing to wait for. Never throws. */
  enter<Answer>(call: () => Awaitable<Answer>, refused: (problem: VaultProblem) => Answer): Awaitable<Answer> {
    if (this.#isClosed) return refused(problemOf({ reason: 'closing' }));
    const away = this.#trouble();
    if (away !== null) return refused({ ...problemOf({ reason: 'away' }), message: `Service Unavailable\n${away}` });
    try {
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      const caught = answer.catch((error: unknown) => refused(this.#problemOf(error)));
      this.#underWay.add(caught);
      return caught.finally(() => this.#underWay.delete(caught));
    } catch (error) {
      return refused(this.#problemOf(error));
    }
  }

  /** Lets in no more calls, and resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#underWay);
  }

  #problemOf(error: unknown): VaultProblem {
    if (error instanceof StillReading) {
      const { message, retryAfterS } = error;
      return { ...problemOf({ reason: 'still_reading', detail: message }), retryAfterS };
    }
    this.#logger.error({ err: error }, 'A call of the vault failed');
    return problemOf({ reason: 'failed' });
  }
}
