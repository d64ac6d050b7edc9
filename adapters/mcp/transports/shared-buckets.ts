import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { BucketRule, TokenBuckets } from '#infrastructure/limits/token-buckets.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/** The fraction of a full bucket that is taken before the other servers are notified. */
const announcedFraction = 1 / 20;
/** The maximum number of users tracked. */
const maxUsers = 10_000;

const topic = 'mcp messages';
const spentSchema = z.object({ user: z.number().int(), count: z.number().int().positive() });

/**
 * Rate-limits the messages of users across all servers, without a database statement for each: a server notifies the
 * others each time a user has taken a twentieth of a bucket here. Tokens regained in the meantime are subtracted, so
 * nothing is sent for users who stay below their rate.
 */
export class SharedBuckets implements Pick<TokenBuckets, 'take'> {
  readonly #buckets: TokenBuckets;
  readonly #others: OtherServers;
  readonly #step: number;
  readonly #unannounced = new LRUCache<number, number>(entriesUpTo(maxUsers));

  /** `now` is the time in ms, on the same clock as the argument of `take`. */
  constructor(buckets: TokenBuckets, { burst }: BucketRule, others: OtherServers, now: () => number) {
    this.#buckets = buckets;
    this.#others = others;
    this.#step = Math.max(1, Math.floor(burst * announcedFraction));
    others.subscribe(topic, (body) => {
      const spent = spentSchema.safeParse(body);
      if (spent.success) buckets.spend(spent.data.user, spent.data.count, now());
    });
  }

  /**
   * Takes `count` tokens at `now` (ms) and returns 0; if there are too few, takes none and returns the whole seconds
   * until there are enough.
   */
  take(user: number, count: number, now: number): number {
    const waitS = this.#buckets.take(user, count, now);
    if (waitS > 0) return waitS;
    const unannounced = Math.min((this.#unannounced.get(user) ?? 0) + count, Math.ceil(this.#buckets.missing(user)));
    const isAnnounced = unannounced >= this.#step;
    if (isAnnounced) this.#others.publish(topic, { user, count: unannounced });
    this.#unannounced.set(user, isAnnounced ? 0 : unannounced);
    return 0;
  }
}
