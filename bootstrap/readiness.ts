/** Whether the server should be sent requests: not while it drains, and not while the database does not answer. */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  #isDraining = false;

  /** `ask` fails when the database does not answer. */
  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask;
  }

  /** From now on it is not ready any more. */
  drain(): void {
    this.#isDraining = true;
  }

  /** True when requests are welcome. */
  async isReady(): Promise<boolean> {
    if (this.#isDraining) return false;
    await this.#ask();
    return true;
  }
}
