import type { Repeat } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { DrainInbox } from '#application/webhooks/drain-inbox.ts';

/** The interval at which the inbox is polled, in ms. */
export const inboxPollMs = 1_000;

/**
 * How long a claim waits for others to join it while deliveries are in flight, in ms. All that is claimed together
 * shares the later statements, too, which cost a database server more than the work itself.
 */
const gatherMs = 25;

/** The dependencies of the worker; `pollMs` bounds the delay of entries that become due without a wake. */
type InboxWorkerDependencies = Readonly<{
  drain: Pick<DrainInbox, 'fill' | 'isWorthClaiming' | 'keepLeases' | 'stop'>;
  repeat: Repeat;
  logger: Logger;
  pollMs: number;
  /** The interval at which leases are extended during processing, in ms; should be a third of the lease. */
  renewMs: number;
  /** Returns why nothing may be claimed now, such as storage that is gone; null when it may. Always by default. */
  trouble?: () => string | null;
}>;

/** Drains the inbox in the background, from `start` to `stop`. */
export class InboxWorker {
  readonly #dependencies: InboxWorkerDependencies;
  #loops: readonly ReturnType<Repeat>[] = [];
  #gathering: NodeJS.Timeout | undefined;

  constructor(dependencies: InboxWorkerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts; entries left by a previous process are claimed at once, or when their lease expires. */
  start(): void {
    const { drain, repeat, logger, pollMs, renewMs, trouble = () => null } = this.#dependencies;
    const fill = async () => {
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      if (trouble() === null) await drain.fill(() => this.#wakeFor('room'));
    };
    const onError = (error: unknown) => logger.error({ err: error }, 'Inbox could not be drained');
    this.#loops = [repeat(pollMs, fill, onError), repeat(renewMs, () => drain.keepLeases(), onError)];
  }

  /** Wakes the worker for new entries. No-op before `start` and after `stop`. */
  wake(): void {
    this.#wakeFor('new');
  }

  /** Claims at once, or soon. */
  #wakeFor(cause: 'new' | 'room'): void {
    const [draining] = this.#loops;
    if (this.#dependencies.drain.isWorthClaiming(cause)) draining?.wake();
    else this.#gathering ??= setTimeout(() => draining?.wake(), gatherMs).unref();
  }

  /** Stops claiming, and resolves when nothing is in flight; entries in flight when `deadline` aborts are released. */
  async stop(deadline: AbortSignal): Promise<void> {
    const [draining, renewing] = this.#loops;
    this.#loops = [];
    await draining?.stop();
    await this.#dependencies.drain.stop(deadline);
    await renewing?.stop();
  }
}
