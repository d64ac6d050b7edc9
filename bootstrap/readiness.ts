/** How long the database may take to answer, in ms: a probe waits a second for its answer. */
const maxWaitMs = 800;
/** How long a good answer is cached, in ms: however many probes come, the database is asked once in that time. */
const holdsForMs = 500;

/** Decides whether the server is ready for requests: not while it drains, and not while the database cannot be used. */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  #isDraining = false;
  #asked: Promise<unknown> | null = null;

  /** `ask` fails when the database cannot be read or written. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  /** Marks the server as not ready from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  /** True when the server accepts requests. A database that does not answer in time counts as unusable. */
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

  /** Asks the database, unless a question is under way or a good answer is still cached. */
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
