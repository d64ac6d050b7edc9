/** How many times as long as the slowest of the latest answers the next one may take. */
const times = 4;

/** How long is waited at most, in ms, and how much of the slowest counts after another answer. */
type Bounds = Readonly<{ mostMs: number; fading: number }>;

/**
 * How long an answer of the database is waited for: longer while answers come late, as where this process gets little
 * processor time. A shorter wait would give up work whose answer has arrived but was not read yet, and repeat it.
 */
export class AnswerTime {
  readonly #bounds: Bounds;
  #slowestMs = 0;

  constructor(bounds: Bounds = { mostMs: 30_000, fading: 0.98 }) {
    this.#bounds = bounds;
  }

  /** Records how long an answer took, in ms. */
  took(ms: number): void {
    this.#slowestMs = Math.max(ms, this.#slowestMs * this.#bounds.fading);
  }

  /** Returns the wait where it usually is `usualMs`, in ms; 0 for one without end. */
  wait(usualMs: number): number {
    if (usualMs === 0) return 0;
    return Math.round(Math.max(usualMs, Math.min(this.#bounds.mostMs, this.#slowestMs * times)));
  }
}
