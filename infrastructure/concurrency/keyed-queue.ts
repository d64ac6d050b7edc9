const ignore = (): void => undefined;

/** Runs tasks sequentially per key, in call order; tasks of different keys run concurrently. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work of the key and returns its result or error; a failure does not affect later
   * work.
   */
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
