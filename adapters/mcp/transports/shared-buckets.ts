import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { OtherServers } from '#application/ports/other-servers.ts';
import type { BucketRule, TokenBuckets } from '#infrastructure/limits/token-buckets.ts';

/** The part of a full bucket that a server takes before it tells the others. */
const toldPart = 1 / 20;
/** How many users are remembered. */
const maxUsers = 10_000;

const topic = 'mcp messages';
const spentSchema = z.object({ user: z.number().int(), count: z.number().int().positive() });

/**
 * Counts the messages of users once for all servers, without a statement for each: a server tells the others what a user has
 * taken here by each twentieth of a bucket. What a bucket has regained meanwhile is not told, so that nothing is said of users
 * who stay below its rate.
 */
export class SharedBuckets implements Pick<TokenBuckets, 'take'> {
  readonly #buckets: TokenBuckets;
  readonly #others: OtherServers;
  readonly #step: number;
  readonly #untold = new LRUCache<number, number>({ max: maxUsers });

  /** `now` is the time in ms that `take` is given too. */
  constructor(buckets: TokenBuckets, { burst }: BucketRule, others: OtherServers, now: () => number) {
    this.#buckets = buckets;
    this.#others = others;
    this.#step = Math.max(1, Math.floor(burst * toldPart));
    others.hear(topic, (body) => {
      const spent = spentSchema.safeParse(body);
      if (spent.success) buckets.spend(spent.data.user, spent.data.count, now());
    });
  }

  /** Takes `count` tokens at `now` (ms) and returns 0; without enough of them takes none, and returns the whole seconds until there are. */
  take(user: number, count: number, now: number): number {
    const waitS = this.#buckets.take(user, count, now);
    if (waitS > 0) return waitS;
    const untold = Math.min((this.#untold.get(user) ?? 0) + count, Math.ceil(this.#buckets.missing(user)));
    const isTold = untold >= this.#step;
    if (isTold) this.#others.tell(topic, { user, count: untold });
    this.#untold.set(user, isTold ? 0 : untold);
    return 0;
  }
}
