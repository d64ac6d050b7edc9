import type { WorkHold } from '#application/ports/work-scope.ts';

/**
 * The lease's duration of a claimed delivery and the interval at which it is extended, in ms: two extensions may be
 * late before it expires. Together with the poll interval it bounds how soon another process takes over.
 */
export const claimTiming = { leaseMs: 3_200, renewMs: 1_000 } as const;

type Claim = { until: number; timer: NodeJS.Timeout; readonly lost: AbortController };

/**
 * Tracks which claimed entries certainly still belong to this process: a lease is measured from before it was
 * requested, by a clock that keeps running while the process is suspended. An expired claim is abandoned for good, even
 * if the store would still extend it, since another process may hold it by then.
 */
export class HeldClaims {
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #claims = new Map<number, Claim>();

  /** `now` returns ms of a monotonic clock. */
  constructor(leaseMs: number, now: () => number = () => performance.now()) {
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /** Returns the time to pass to `begin` and `extend`, read before the store is asked. */
  now(): number {
    return this.#now();
  }

  /** Starts tracking an entry whose claim was requested at `askedAt`. */
  begin(seq: number, askedAt: number): WorkHold {
    const lost = new AbortController();
    const until = askedAt + this.#leaseMs;
    this.#claims.set(seq, { until, timer: this.#timer(seq, until), lost });
    return { signal: lost.signal, isHeld: () => this.isHeld(seq) };
  }

  /** Whether the entry certainly still belongs to this process; if not, its work is cancelled. */
  isHeld(seq: number): boolean {
    const claim = this.#claims.get(seq);
    if (claim === undefined || claim.lost.signal.aborted) return false;
    if (this.#now() < claim.until) return true;
    clearTimeout(claim.timer);
    claim.lost.abort();
    return false;
  }

  /** Returns the entries that are held; cancels the work on those that have expired. */
  held(): readonly number[] {
    return [...this.#claims.keys()].filter((seq) => this.isHeld(seq));
  }

  /** Extends the entries that were held when the extension was requested at `askedAt`. */
  extend(seqs: readonly number[], askedAt: number): void {
    for (const seq of seqs) {
      const claim = this.#claims.get(seq);
      if (claim === undefined || claim.lost.signal.aborted) continue;
      clearTimeout(claim.timer);
      claim.until = askedAt + this.#leaseMs;
      claim.timer = this.#timer(seq, claim.until);
    }
  }

  /** Abandons all entries and cancels the work on them, at a stop. */
  giveUp(): void {
    for (const { timer, lost } of this.#claims.values()) {
      clearTimeout(timer);
      lost.abort();
    }
  }

  /** Stops tracking an entry whose attempt has ended. */
  end(seq: number): void {
    clearTimeout(this.#claims.get(seq)?.timer);
    this.#claims.delete(seq);
  }

  #timer(seq: number, until: number): NodeJS.Timeout {
    return setTimeout(() => this.isHeld(seq), Math.max(0, until - this.#now())).unref();
  }
}
