import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

type Rule = Readonly<{ points: number; durationS: number }>;
type Answer = Readonly<{ ok: true; value: null }> | Readonly<{ ok: false; failure: Limited }>;
type Limited = Readonly<{ reason: 'rate_limited'; retryAfterS: number }>;
/** The counters of a rule, and their keys. */
type Limiter = Readonly<{ counters: RateLimiterMemory; keys: LRUCache<string, true> }>;

/**
 * Rate limits in this process's memory, with separate counters per named rule. A key's counter is freed when its window
 * ends, or when a rule has too many: then that of the key that was used least recently.
 */
export class MemoryRateLimits<Name extends string> {
  readonly #limiters: ReadonlyMap<string, Limiter>;

  /** `maxKeys` bounds the counters of each rule (EDGE-019). */
  constructor(rules: Readonly<Record<Name, Rule>>, maxKeys = 100_000) {
    this.#limiters = new Map(
      Object.entries<Rule>(rules).map(([name, { points, durationS }]) => {
        const counters = new RateLimiterMemory({ points, duration: durationS });
        const forget = (_: true, key: string) => void counters.delete(key);
        return [name, { counters, keys: new LRUCache<string, true>({ ...entriesUpTo(maxKeys), dispose: forget }) }];
      }),
    );
  }

  /** Takes a point; when none is left, returns the remaining time of the window. */
  async take(limit: Name, key: string): Promise<Answer> {
    const { counters, keys } = this.#limiter(limit);
    // Setting a known key again would dispose of it.
    if (keys.get(key) === undefined) keys.set(key, true);
    try {
      await counters.consume(key);
      return { ok: true, value: null };
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const retryAfterS = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      return { ok: false, failure: { reason: 'rate_limited', retryAfterS } };
    }
  }

  /** Returns a point that was taken. */
  async giveBack(limit: Name, key: string): Promise<void> {
    await this.#limiter(limit).counters.reward(key);
  }

  /** Resets the key's window. */
  async forget(limit: Name, key: string): Promise<void> {
    await this.#limiter(limit).counters.delete(key);
  }

  #limiter(limit: Name): Limiter {
    const limiter = this.#limiters.get(limit);
    if (limiter === undefined) throw new Error(`No limit is called ${limit}`);
    return limiter;
  }
}
