import { LRUCache } from 'lru-cache';

/** How many tokens a full bucket has, and how many it regains each second. */
export type BucketRule = Readonly<{ burst: number; perSecond: number }>;

type Bucket = { left: number; at: number };

/** A token bucket for each key, in memory; cheap enough to be asked with every request. `max` keys are kept. */
export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #buckets: LRUCache<number, Bucket>;

  constructor(rule: BucketRule, max = 10_000) {
    this.#rule = rule;
    this.#buckets = new LRUCache({ max });
  }

  /** Takes `count` tokens at `now` (ms) and returns 0; without enough of them takes none, and returns the whole seconds until there are. */
  take(key: number, count: number, now: number): number {
    const { burst, perSecond } = this.#rule;
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: burst, at: now };
    if (known === undefined) this.#buckets.set(key, bucket);
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (bucket.left < count) return Math.max(1, Math.ceil((count - bucket.left) / perSecond));
    bucket.left -= count;
    return 0;
  }
}
