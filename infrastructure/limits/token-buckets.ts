import { LRUCache } from 'lru-cache';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/** The capacity of a bucket, and the tokens it regains per second. */
export type BucketRule = Readonly<{ burst: number; perSecond: number }>;

type Bucket = { left: number; at: number };

/** Token buckets per key, in memory; cheap enough for every request. The `max` most recently used keys are kept. */
export class TokenBuckets {
  readonly #rule: BucketRule;
  readonly #buckets: LRUCache<number, Bucket>;

  constructor(rule: BucketRule, max = 10_000) {
    this.#rule = rule;
    this.#buckets = new LRUCache(entriesUpTo(max));
  }

  /**
   * Takes `count` tokens at `now` (ms) and returns 0; when there are not enough, takes none and returns the whole
   * seconds until there are.
   */
  take(key: number, count: number, now: number): number {
    const bucket = this.#filled(key, now);
    if (bucket.left < count) return Math.max(1, Math.ceil((count - bucket.left) / this.#rule.perSecond));
    bucket.left -= count;
    return 0;
  }

  /** Takes tokens that were spent elsewhere; the balance may become negative, down to minus one burst. */
  spend(key: number, count: number, now: number): void {
    const bucket = this.#filled(key, now);
    bucket.left = Math.max(-this.#rule.burst, bucket.left - count);
  }

  /** Returns how many tokens the bucket lacked when it was last used. */
  missing(key: number): number {
    return this.#rule.burst - (this.#buckets.peek(key)?.left ?? this.#rule.burst);
  }

  #filled(key: number, now: number): Bucket {
    const { burst, perSecond } = this.#rule;
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: burst, at: now };
    if (known === undefined) this.#buckets.set(key, bucket);
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    return bucket;
  }
}
