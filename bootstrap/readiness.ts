import type { Storage } from '#bootstrap/stores/storage.ts';
import { DatabaseUnavailable, publicText } from '#infrastructure/database/database-unavailable.ts';

/** The time limit for the database to answer, in ms; probes typically wait a second. */
const maxWaitMs = 800;
/** How long a positive answer is cached, in ms, so that frequent probes do not load the database. */
const cacheMs = 500;

/** Decides whether the server is ready for requests: not while it drains, or its storage or database is unavailable. */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  readonly #storage: Pick<Storage, 'trouble'>;
  #isDraining = false;
  #asked: Promise<unknown> | null = null;

  /** `ask` rejects when the database cannot be read or written. */
  constructor(ask: () => Promise<unknown>, storage: Pick<Storage, 'trouble'> = { trouble: () => null }) {
    this.#ask = ask;
    this.#storage = storage;
  }

  /** Marks the server as not ready, permanently. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Returns why the server accepts no requests, as a sentence that names no path; null when it does. A database that
   * does not answer in time counts as unavailable.
   */
  async reason(): Promise<string | null> {
    if (this.#isDraining) return 'The server is stopping.';
    const trouble = this.#storage.trouble();
    if (trouble !== null) return trouble;
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve('The database does not answer.'), maxWaitMs);
    try {
      return await Promise.race([this.#reasonOfDatabase(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks the database, unless a request is in flight or a positive answer is cached. */
  #reasonOfDatabase(): Promise<string | null> {
    this.#asked ??= this.#ask().then(
      () => void setTimeout(() => this.#forget(), cacheMs).unref(),
      (error: unknown) => {
        this.#forget();
        throw error;
      },
    );
    return this.#asked.then(() => null, reasonOf);
  }

  #forget(): void {
    this.#asked = null;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof DatabaseUnavailable ? publicText(error.reason) : 'The database does not answer.';
}
