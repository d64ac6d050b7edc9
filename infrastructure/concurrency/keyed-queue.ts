const begun = Promise.resolve();

/** Runs work one after the other per key, in the order of the calls; different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` once all earlier work of the key has ended, and passes on its result or error; a failure does not stop later work. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const result = (this.#tails.get(key) ?? begun).then(work);
    const forget = (): void => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    const tail = result.then(forget, forget);
    this.#tails.set(key, tail);
    return result;
  }

  /** Resolves when all work queued so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
