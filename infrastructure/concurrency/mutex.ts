/** A fair mutex: grants access to one caller at a time, in the order of their requests. */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  #isLocked = false;

  /** Resolves when the caller holds the mutex; `release` gives it up. */
  async acquire(): Promise<void> {
    if (this.#isLocked) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isLocked = true;
  }

  /** Releases the mutex. The next waiting caller gets it before any later caller. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isLocked = false;
    else next();
  }
}
