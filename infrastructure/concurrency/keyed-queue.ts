const ignore = (): void => undefined;

/** Runs work one after the other per key, in the order it was asked for; different keys run side by side. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** What `work` gives or throws, once all earlier work of the key has ended; a failure does not stop what follows. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const result = (this.#tails.get(key) ?? Promise.resolve()).then(work);
    const tail = result.then(ignore, ignore);
    this.#tails.set(key, tail);
    void this.#forget(key, tail);
    return result;
  }

  /** Resolves when nothing that was asked for so far is still running. */
  async idle(): Promise<void> {
    await Promise.all(this.#tails.values());
  }

  async #forget(key: string, tail: Promise<void>): Promise<void> {
    await tail;
    if (this.#tails.get(key) === tail) this.#tails.delete(key);
  }
}
