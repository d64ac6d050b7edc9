import { LRUCache } from 'lru-cache';

/** How many may come at once, and how many more each second. */
export type BucketRule = Readonly<{ burst: number; perSecond: number }>;

type Bucket = { left: number; at: number };

/** A token bucket for each key, in memory; cheap enough to be asked with every request. `max` keys are remembered. */
export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #buckets: LRUCache<number, Bucket>;

  constructor(rule: BucketRule, max = 10_000) {
    this.#rule = rule;
    this.#buckets = new LRUCache({ max });
  }

  /** Takes `count` at `now` (ms); 0 when they were there, else whole seconds until they are, and then none is taken. */
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
