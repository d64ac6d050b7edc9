/** How long the database may take to show that it can be used, in ms: a probe waits a second for its answer. */
const maxWaitMs = 800;
/** How long a good answer holds, in ms: however many ask, the database is asked once in that time. */
const holdsForMs = 500;

/** Whether the server should be sent requests: not while it drains, and not while the database cannot be used. */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  #isDraining = false;
  #asked: Promise<unknown> | null = null;

  /** `ask` fails when the database cannot be read or written. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  /** From now on it is not ready any more. */
  drain(): void {
    this.#isDraining = true;
  }

  /** True when requests are welcome. A database that does not answer in time cannot be used. */
  async isReady(): Promise<boolean> {
    if (this.#isDraining) return false;
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(false), maxWaitMs);
    try {
      return await Promise.race([this.#isUsable(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks, unless it is asking or has just been told that all is well. */
  #isUsable(): Promise<boolean> {
    this.#asked ??= this.#ask().then(
      () => void setTimeout(() => this.#forget(), holdsForMs).unref(),
      (error: unknown) => {
        this.#forget();
        throw error;
      },
    );
    return this.#asked.then(
      () => true,
      () => false,
    );
  }

  #forget(): void {
    this.#asked = null;
  }
}
