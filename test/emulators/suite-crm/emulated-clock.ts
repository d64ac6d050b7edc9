/** The emulator's own time: the machine's, moved ahead on demand, so that tokens and channels expire without waiting. */
export class EmulatedClock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** ISO 8601 with an offset, to the second. */
  iso(at = this.now()): string {
    return new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00');
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}
