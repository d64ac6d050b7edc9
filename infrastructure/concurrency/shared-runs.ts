const ignore = (): void => undefined;

/**
 * Coalesces calls of a task that covers everything done before it began, such as an fsync: one run at a time, and all
 * calls made during a run share the next one.
 */
export class SharedRuns {
  readonly #work: () => Promise<void>;
  #current: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Whether no run is in progress or pending. */
  get isIdle(): boolean {
    return this.#current === null && this.#next === null;
  }

  /** Resolves when a run that began after this call has ended; rejects with that run's error. */
  ask(): Promise<void> {
    this.#next ??= this.#run();
    return this.#next;
  }

  /** Resolves when all runs requested so far have ended, successfully or not. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#current)?.then(ignore, ignore);
  }

  async #run(): Promise<void> {
    // Deferred even when idle, so that calls of one turn share a run.
    await (this.#current ?? Promise.resolve()).then(ignore, ignore);
    this.#next = null;
    const current = this.#work();
    this.#current = current;
    try {
      await current;
    } finally {
      if (this.#current === current) this.#current = null;
    }
  }
}
