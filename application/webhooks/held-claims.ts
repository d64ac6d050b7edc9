import type { WorkHold } from '#application/ports/work-scope.ts';

/**
 * The lease's duration of a claimed delivery and the interval at which it is extended, in ms: two extensions may be
 * late before it expires. Together with the poll interval it bounds how soon another process takes over.
 */
export const claimTiming = { leaseMs: 3_200, renewMs: 1_000 } as const;

/** A claimed entry while it is worked on; `end` stops tracking it once its attempt has ended. */
export type HeldClaim = WorkHold & Readonly<{ end(): void }>;

/**
 * Tracks which claimed entries certainly still belong to this process: a lease is measured from before it was
 * requested, by a clock that keeps running while the process is suspended. An expired claim is abandoned for good, even
 * if the store would still extend it, since another process, or this one, may have claimed the entry again by then.
 */
export class HeldClaims {
  readonly #leaseMs: number;
  readonly #now: () => number;
  readonly #claims = new Set<Claim>();
  readonly #cut = new AbortController();

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
  begin(askedAt: number): HeldClaim {
    const claim = new Claim(this.#now, this.#cut.signal, () => this.#claims.delete(claim));
    this.#claims.add(claim);
    claim.holdUntil(askedAt + this.#leaseMs);
    return claim;
  }

  /** Returns the claims that are held; those that have expired are lost. */
  held(): readonly HeldClaim[] {
    return [...this.#claims].filter((claim) => claim.isHeld());
  }

  /** Extends the claims that were held when the extension was requested at `askedAt`. */
  extend(claims: readonly HeldClaim[], askedAt: number): void {
    for (const claim of this.#claims) if (claims.includes(claim)) claim.holdUntil(askedAt + this.#leaseMs);
  }

  /** Abandons all entries and breaks off the work on them, at a stop. */
  giveUp(): void {
    for (const claim of this.#claims) claim.lose();
    this.#cut.abort();
  }
}

class Claim implements HeldClaim {
  readonly #now: () => number;
  readonly #lost = new AbortController();
  readonly #onEnd: () => void;
  readonly cut: AbortSignal;
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number, cut: AbortSignal, onEnd: () => void) {
    this.#now = now;
    this.cut = cut;
    this.#onEnd = onEnd;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    if (this.signal.aborted) return false;
    if (this.#now() < this.#until) return true;
    this.lose();
    return false;
  }

  /** Holds the claim until a time of the clock, unless it was lost before. */
  holdUntil(until: number): void {
    if (this.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#until = until;
    this.#timer = setTimeout(() => this.isHeld(), Math.max(0, until - this.#now())).unref();
  }

  lose(): void {
    clearTimeout(this.#timer);
    this.#lost.abort();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#onEnd();
  }
}
