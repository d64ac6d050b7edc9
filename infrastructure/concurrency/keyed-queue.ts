const ignore = (): void => undefined;

/** Runs work one after the other per key, in the order of the calls; different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work of the key has ended, and passes on its result or error; a failure does not stop later work. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    const tail = result.then(ignore, ignore);
    this.#tails.set(key, tail);
    void this.#forget(key, tail);
    return result;
  }

  /** Resolves when all work queued so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }

  async #forget(key: string, tail: Promise<void>): Promise<void> {
    await tail;
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
