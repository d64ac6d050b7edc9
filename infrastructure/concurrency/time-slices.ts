import { setImmediate } from 'node:timers/promises';

/** Splits long loops into slices of `sliceMs`, after each of which other work of the event loop runs. */
export class TimeSlices {
  readonly #sliceMs: number;
  #since = performance.now();

  constructor(sliceMs = 8) {
    this.#sliceMs = sliceMs;
  }

  /** Whether the slice is used up, and `next` is due. */
  get isUsedUp(): boolean {
    return performance.now() - this.#since >= this.#sliceMs;
  }

  /** Lets other work run, and starts a new slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
