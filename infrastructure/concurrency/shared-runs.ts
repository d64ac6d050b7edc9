const ignore = (): void => undefined;

/**
 * Runs work that counts for all that was done before it began, one run at a time: who asks while one is under way shares the next
 * with all others that ask until that begins.
 */
export class SharedRuns {
  readonly #work: () => Promise<void>;
  #current: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Whether no run is under way or awaited. */
  get isIdle(): boolean {
    return this.#current === null && this.#next === null;
  }

  /** Resolves when a run that began after this call has ended; rejects with that run's error. */
  ask(): Promise<void> {
    this.#next ??= this.#run();
    return this.#next;
  }

  /** Resolves when all runs asked for so far have ended, however they ended. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#current)?.then(ignore, ignore);
  }

  async #run(): Promise<void> {
    // Callers of one moment share a run, also the first.
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
