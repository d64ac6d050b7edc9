import { LRUCache } from 'lru-cache';

/** How long what was read is kept, in ms, and how much of it; the rest as the cache has it. */
export type ReadThroughOptions<Key extends {}, Value extends {}> = LRUCache.Options<Key, Value, unknown> &
  Readonly<{ max: number; ttl: number }>;

/** What a store answers, kept for a short while. A change that is told by `forget` is seen at once, all others when the time is over. */
export class ReadThrough<Key extends {}, Value extends {}> {
  readonly #known: LRUCache<Key, Value>;
  #changes = 0;

  constructor(options: ReadThroughOptions<Key, Value>) {
    this.#known = new LRUCache({ ttlResolution: 0, ...options });
  }

  /** What is kept, or else what `read` finds. Null is not kept. */
  async get<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Value | Found> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const changesBefore = this.#changes;
    const found = await read();
    // A change made while the store was asked may not be in its answer.
    if (found !== null && this.#changes === changesBefore) this.#known.set(key, found);
    return found;
  }

  /** Has the next `get` read anew, and what is being read now not kept. */
  forget(key: Key): void {
    this.#changes += 1;
    this.#known.delete(key);
  }
}
