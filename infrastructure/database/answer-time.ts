/** How many times as long as the slowest of the latest answers the next one may take; and never longer than so many ms. */
const [times, mostMs] = [4, 30_000];
/** How much of the slowest counts after another answer. */
const fading = 0.98;

/**
 * How long an answer of the database is waited for: longer while answers come late, as where this process gets little
 * processor time. A shorter wait would give up work whose answer has arrived but was not read yet, and repeat it.
 */
export class AnswerTime {
  #slowestMs = 0;

  /** Records how long an answer took, in ms. */
  took(ms: number): void {
    this.#slowestMs = Math.max(ms, this.#slowestMs * fading);
  }

  /** Returns the wait where it usually is `usualMs`, in ms; 0 for one without end. */
  wait(usualMs: number): number {
    if (usualMs === 0) return 0;
    return Math.round(Math.max(usualMs, Math.min(mostMs, this.#slowestMs * times)));
  }
}
