import type { WorkHold } from '#application/ports/work-scope.ts';

/**
 * How long a claimed delivery belongs to one process, in ms, and how often it renews its claims while it works on them: two renewals may be
 * late before one runs out. With the look for what is due this bounds how soon another process takes over.
 */
export const claimTiming = { leaseMs: 3_200, renewMs: 1_000 } as const;

type Claim = { until: number; timer: NodeJS.Timeout; readonly lost: AbortController };

/**
 * Knows which claimed entries are surely still this process's: a claim counts from the moment before it was asked for, by a
 * clock that runs on while the process stands still. One that ran out may be another process's by now; it is given up for
 * good, also when the store would still extend it.
 */
export class HeldClaims {
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #claims = new Map<number, Claim>();

  /** `now` is in ms, of a clock that never goes back. */
  constructor(leaseMs: number, now: () => number = () => performance.now()) {
    this.#leaseMs = leaseMs;
    this.#now = now;
  }

  /** Returns the time to give to `begin` and `extend`, read before the store is asked. */
  now(): number {
    return this.#now();
  }

  /** Begins to hold an entry that was asked for at that time. */
  begin(seq: number, askedAt: number): WorkHold {
    const lost = new AbortController();
    const until = askedAt + this.#leaseMs;
    this.#claims.set(seq, { until, timer: this.#timer(seq, until), lost });
    return { signal: lost.signal, isHeld: () => this.isHeld(seq) };
  }

  /** Whether the entry is surely still this process's; what works on it is broken off when it is not. */
  isHeld(seq: number): boolean {
    const claim = this.#claims.get(seq);
    if (claim === undefined || claim.lost.signal.aborted) return false;
    if (this.#now() < claim.until) return true;
    clearTimeout(claim.timer);
    claim.lost.abort();
    return false;
  }

  /** The entries that are held now; those that ran out are given up. */
  held(): readonly number[] {
    return [...this.#claims.keys()].filter((seq) => this.isHeld(seq));
  }

  /** Extends entries whose extension was asked for at that time, when they were held. */
  extend(seqs: readonly number[], askedAt: number): void {
    for (const seq of seqs) {
      const claim = this.#claims.get(seq);
      if (claim === undefined || claim.lost.signal.aborted) continue;
      clearTimeout(claim.timer);
      claim.until = askedAt + this.#leaseMs;
      claim.timer = this.#timer(seq, claim.until);
    }
  }

  /** Gives up all entries, as at a stop. */
  giveUp(): void {
    for (const { timer, lost } of this.#claims.values()) {
      clearTimeout(timer);
      lost.abort();
    }
  }

  /** Ends the hold of an entry whose attempt has ended. */
  end(seq: number): void {
    clearTimeout(this.#claims.get(seq)?.timer);
    this.#claims.delete(seq);
  }

  #timer(seq: number, until: number): NodeJS.Timeout {
    return setTimeout(() => this.isHeld(seq), Math.max(0, until - this.#now())).unref();
  }
}
