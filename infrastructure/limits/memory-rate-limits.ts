import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

type Rule = Readonly<{ points: number; durationS: number }>;
type Answer = Readonly<{ ok: true; value: null }> | Readonly<{ ok: false; failure: Limited }>;
type Limited = Readonly<{ reason: 'rate_limited'; retryAfterS: number }>;

/**
 * Rate limits in this process's memory, with separate counters per named rule. A key's counter is freed when its window
 * ends.
 */
export class MemoryRateLimits<Name extends string> {
  readonly #limiters: ReadonlyMap<string, RateLimiterMemory>;

  constructor(rules: Readonly<Record<Name, Rule>>) {
    this.#limiters = new Map(
      Object.entries<Rule>(rules).map(([name, { points, durationS }]) => [
        name,
        new RateLimiterMemory({ points, duration: durationS }),
      ]),
    );
  }

  /** Takes a point; when none is left, returns the remaining time of the window. */
  async take(limit: Name, key: string): Promise<Answer> {
    try {
      await this.#limiter(limit).consume(key);
      return { ok: true, value: null };
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const retryAfterS = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      return { ok: false, failure: { reason: 'rate_limited', retryAfterS } };
    }
  }

  /** Returns a point that was taken. */
  async giveBack(limit: Name, key: string): Promise<void> {
    await this.#limiter(limit).reward(key);
  }

  /** Resets the key's window. */
  async forget(limit: Name, key: string): Promise<void> {
    await this.#limiter(limit).delete(key);
  }

  #limiter(limit: Name): RateLimiterMemory {
    const limiter = this.#limiters.get(limit);
    if (limiter === undefined) throw new Error(`No limit is called ${limit}`);
    return limiter;
  }
}
