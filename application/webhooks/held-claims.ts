import type { WorkHold } from '#application/ports/work-scope.ts';

/** A claimed entry while it is worked on; `end` stops tracking it once its attempt has ended. */
export type HeldClaim = WorkHold & Readonly<{ end(): void }>;

/**
 * Tracks which claimed entries certainly still belong to this process: a lease is measured from before it was
 * requested, by a clock that keeps running while the process is suspended. An expired claim is abandoned for good, even
 * if the store would still extend it, since another process, or this one, may have claimed the entry again by then.
 */
export class HeldClaims {
  readonly #now: () => number;
  readonly #onLost: () => void;
  readonly #claims = new Set<Claim>();
  readonly #cut = new AbortController();

  /** `now` returns ms of a monotonic clock; `onLost` is called for each claim that expires. */
  constructor(now: () => number = () => performance.now(), onLost: () => void = () => {}) {
    this.#now = now;
    this.#onLost = onLost;
  }

  /** Returns the time of the clock, from which a lease counts if it was read before the store is asked. */
  now(): number {
    return this.#now();
  }

  /** Starts tracking an entry that is leased until a time of the clock. */
  begin(until: number): HeldClaim {
    const claim = new Claim(this.#now, this.#cut.signal, {
      onLost: this.#onLost,
      onEnd: () => this.#claims.delete(claim),
    });
    this.#claims.add(claim);
    claim.holdUntil(until);
    return claim;
  }

  /** Returns the claims that are held; those that have expired are lost. */
  held(): readonly HeldClaim[] {
    return [...this.#claims].filter((claim) => claim.isHeld());
  }

  /** Extends the claims that were held when the extension was requested. */
  extend(claims: readonly HeldClaim[], until: number): void {
    for (const claim of this.#claims) if (claims.includes(claim)) claim.holdUntil(until);
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
  readonly #on: Readonly<{ onLost(): void; onEnd(): void }>;
  readonly cut: AbortSignal;
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number, cut: AbortSignal, on: Readonly<{ onLost(): void; onEnd(): void }>) {
    this.#now = now;
    this.cut = cut;
    this.#on = on;
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    if (this.signal.aborted) return false;
    if (this.#now() < this.#until) return true;
    this.lose();
    this.#on.onLost();
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
    this.#on.onEnd();
  }
}
