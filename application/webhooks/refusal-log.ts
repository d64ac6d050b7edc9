import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';

/** How often the log says that something is refused, in ms; each line costs some of the time that is short. */
const loggedEveryMs = 10_000;

/** Logs what is refused for want of processor time: one line for all of some seconds. */
export class RefusalLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #message: string;
  #refused = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** `message` is the line's. */
  constructor(clock: Clock, logger: Logger, message: string) {
    this.#clock = clock;
    this.#logger = logger;
    this.#message = message;
  }

  /** Records a refusal. */
  add(): void {
    this.#refused += 1;
    const now = this.#clock.now();
    if (now - this.#loggedAt < loggedEveryMs) return;
    this.#logger.warn({ refused: this.#refused }, this.#message);
    this.#refused = 0;
    this.#loggedAt = now;
  }
}
