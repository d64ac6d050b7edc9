/** The time limit for the database to answer, in ms; probes typically wait a second. */
const maxWaitMs = 800;
/** How long a positive answer is cached, in ms, so that frequent probes do not load the database. */
const cacheMs = 500;

/** Decides whether the server is ready for requests: not while it drains or the database is unavailable. */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  #isDraining = false;
  #asked: Promise<unknown> | null = null;

  /** `ask` rejects when the database cannot be read or written. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  /** Marks the server as not ready, permanently. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Whether the server accepts requests. A database that does not answer in time counts as unavailable. */
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

  /** Asks the database, unless a request is in flight or a positive answer is cached. */
  #isUsable(): Promise<boolean> {
    this.#asked ??= this.#ask().then(
      () => void setTimeout(() => this.#forget(), cacheMs).unref(),
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
