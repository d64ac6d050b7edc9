import type { TakenCalls } from '#application/operations/run-operation.ts';
import type { ActivityLog } from '#application/ports/activity-log.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import { summedUsage, type UsageCount, usageOfCalls } from '#domain/activity/usage-count.ts';

/**
 * The dependencies of the use case; `takeCalls` returns the calls noted since it was last called, and clears them, and so
 * does `takeUsage` with what is counted besides.
 */
type RecordActivityDependencies = Readonly<{
  takeCalls: () => TakenCalls;
  takeUsage: () => readonly UsageCount[];
  log: Pick<ActivityLog, 'add'>;
  logger: Logger;
}>;

/**
 * The maximum number of entries buffered while the store is unavailable; beyond it the oldest are dropped, and the log
 * counts them.
 */
const maxWaiting = 20_000;

/**
 * Stores app activity and usage counts in batches, outside the request path: calls are noted in memory and written when `run` is called.
 * Entries that are not yet written are lost when the process is killed.
 */
export class RecordActivity {
  readonly #dependencies: RecordActivityDependencies;
  #waiting: readonly ActivityEntry[] = [];
  #counted: readonly UsageCount[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(dependencies: RecordActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes all entries noted so far; those that cannot be written are retried by the next run. */
  run(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { takeCalls, takeUsage, log, logger } = this.#dependencies;
    const taken = takeCalls();
    this.#counted = summedUsage([...this.#counted, ...takeUsage()]).slice(-maxWaiting);
    const all = [...this.#waiting, ...taken.entries];
    this.#waiting = all.slice(-maxWaiting);
    const dropped = taken.dropped + all.length - this.#waiting.length;
    if (dropped > 0) logger.warn({ dropped }, 'Activity was dropped: more came than could be stored');
    if (this.#waiting.length + this.#counted.length === 0) return;
    try {
      await log.add(this.#waiting, summedUsage([...usageOfCalls(this.#waiting), ...this.#counted]));
      [this.#waiting, this.#counted] = [[], []];
    } catch (error) {
      logger.warn({ err: error, waiting: this.#waiting.length }, 'Activity could not be stored; will retry');
    }
  }
}
