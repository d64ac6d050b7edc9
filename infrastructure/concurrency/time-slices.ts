import { setImmediate } from 'node:timers/promises';

/** Splits long loops into slices of `sliceMs`, between which the event loop runs other work. */
export class TimeSlices {
  readonly #sliceMs: number;
  #since = performance.now();

  constructor(sliceMs = 8) {
    this.#sliceMs = sliceMs;
  }

  /** Whether the slice is used up, so that the caller should await `next`. */
  get isUsedUp(): boolean {
    return performance.now() - this.#since >= this.#sliceMs;
  }

  /** Yields to the event loop and starts a new slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
