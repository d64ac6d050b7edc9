import { unreadable } from '#adapters/services/answers/read-answers.ts';
import { type Failure, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/** Caches what successful requests answer, as parsed; a failure is returned, and not cached. */
export class CachedOutcomes<Value extends {}> {
  readonly #known: ReadThrough<string, Value>;
  readonly #parse: (data: unknown) => Value | null;

  /** `parse` returns null for an answer that it cannot read. */
  constructor(ttl: Lifetime, parse: (data: unknown) => Value | null) {
    this.#known = new ReadThrough({ max: 1_000, ttl });
    this.#parse = parse;
  }

  /** Returns the cached value, or what `ask` is answered. */
  async get(key: string, ask: () => Promise<Outcome>): Promise<Outcome<Value>> {
    let failure: Failure = unreadable;
    const value = await this.#known.get(key, async () => {
      const outcome = await ask();
      if (outcome.ok) return this.#parse(outcome.data);
      failure = outcome;
      return null;
    });
    return value === null ? failure : succeeded(value);
  }

  /** Invalidates the keys that begin so. */
  forgetOf(start: string): void {
    this.#known.forgetWhere((key) => key.startsWith(start));
  }
}
