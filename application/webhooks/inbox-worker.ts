import type { Logger } from '#application/ports/logger.ts';
import type { Repeat } from '#application/ports/repeat.ts';
import type { DrainInbox } from '#application/webhooks/drain-inbox.ts';

/** What the worker is made of; the poll is the fallback for entries that become due without being told of. */
export type InboxWorkerDependencies = Readonly<{
  drain: DrainInbox;
  repeat: Repeat;
  logger: Logger;
  pollMs: number;
  /** How often leases are renewed while entries are worked on; a third of the lease is right. */
  renewMs: number;
}>;

/** Drains the inbox in the background, from `start` to `stop`. */
export class InboxWorker {
  readonly #dependencies: InboxWorkerDependencies;
  #loops: readonly ReturnType<Repeat>[] = [];

  constructor(dependencies: InboxWorkerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Begins; entries that a former process left behind are taken up at once, or when their lease has run out. */
  start(): void {
    const { drain, repeat, logger, pollMs, renewMs } = this.#dependencies;
    const onError = (error: unknown) => logger.error({ err: error }, 'the inbox could not be drained');
    this.#loops = [
      repeat(pollMs, async () => void (await drain.fill(() => this.wake())), onError),
      repeat(renewMs, () => drain.keepLeases(), onError),
    ];
  }

  /** Says that something new is there. Does nothing before `start` and after `stop`. */
  wake(): void {
    this.#loops[0]?.wake();
  }

  /** Takes up no more, and ends when nothing is being worked on; what is left when `patience` aborts is given back. */
  async stop(patience: AbortSignal): Promise<void> {
    const [draining, renewing] = this.#loops;
    this.#loops = [];
    await draining?.stop();
    await this.#dependencies.drain.stop(patience);
    await renewing?.stop();
  }
}
