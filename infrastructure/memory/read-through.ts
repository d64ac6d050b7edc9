import { LRUCache } from 'lru-cache';

/** The cache's options: how long values are kept, in ms, and how many. */
export type ReadThroughOptions<Key extends {}, Value extends {}> = LRUCache.Options<Key, Value, unknown> &
  Readonly<{ max: number; ttl: number }>;

/** Caches a store's answers for a short while. A change reported by `forget` is seen at once, all others when the time is over. */
export class ReadThrough<Key extends {}, Value extends {}> {
  readonly #known: LRUCache<Key, Value>;
  #changes = 0;

  constructor(options: ReadThroughOptions<Key, Value>) {
    this.#known = new LRUCache({ ttlResolution: 0, ...options });
  }

  /** The cached value, or else what `read` finds. Null is not cached. */
  async get<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Value | Found> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const changesBefore = this.#changes;
    const found = await read();
    // A change made during the read may be missing in its answer.
    if (found !== null && this.#changes === changesBefore) this.#known.set(key, found);
    return found;
  }

  /** Drops a key: the next `get` reads anew, and a read under way is not cached. */
  forget(key: Key): void {
    this.#changes += 1;
    this.#known.delete(key);
  }

  /** Drops all keys of which `isMeant` is true. */
  forgetWhere(isMeant: (key: Key) => boolean): void {
    this.#changes += 1;
    for (const key of [...this.#known.keys()].filter(isMeant)) this.#known.delete(key);
  }
}
