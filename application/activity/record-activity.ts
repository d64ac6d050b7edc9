import type { TakenCalls } from '#application/operations/run-operation.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';

/** The dependencies of the use case; `takeCalls` empties what was noted of calls since it was asked last. */
export type RecordActivityDependencies = Readonly<{
  takeCalls: () => TakenCalls;
  log: Pick<ActivityLog, 'add'>;
  logger: Logger;
}>;

/** The most entries that wait while the store cannot be written; more are dropped, the oldest first, and counted in the log. */
const maxWaiting = 20_000;

/**
 * Stores what apps did, in batches and off the calls' road: calls are noted in memory, and written when `run` is called. What
 * is noted and not yet written is lost when the process is killed.
 */
export class RecordActivity {
  readonly #dependencies: RecordActivityDependencies;
  #waiting: readonly ActivityEntry[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: RecordActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes all that was noted until now; what cannot be written waits for the next time. */
  run(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { takeCalls, log, logger } = this.#dependencies;
    const taken = takeCalls();
    const all = [...this.#waiting, ...taken.entries];
    this.#waiting = all.slice(-maxWaiting);
    const dropped = taken.dropped + all.length - this.#waiting.length;
    if (dropped > 0) logger.warn({ dropped }, 'Activity was dropped: more came than could be stored');
    if (this.#waiting.length === 0) return;
    try {
      await log.add(this.#waiting);
      this.#waiting = [];
    } catch (error) {
      logger.warn({ err: error, waiting: this.#waiting.length }, 'Activity could not be stored; it is tried again');
    }
  }
}
