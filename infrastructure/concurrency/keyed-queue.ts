const begun = Promise.resolve();

/** Runs tasks sequentially per key, in call order; tasks of different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work of the key and returns its result or error; a failure does not affect later
   * work.
   */
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
