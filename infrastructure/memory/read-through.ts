import { LRUCache } from 'lru-cache';

/** How long a value is kept, in ms; a function is asked for each value. */
export type Lifetime = number | (() => number);

/** The cache's options: how long values are kept, and how many. */
export type ReadThroughOptions<Key extends {}, Value extends {}> = Omit<LRUCache.Options<Key, Value, unknown>, 'ttl'> &
  Readonly<{ max: number; ttl: Lifetime }>;

/** Caches a store's answers for a short while. A change reported by `forget` is seen at once, all others when the time is over. */
export class ReadThrough<Key extends {}, Value extends {}> {
  readonly #known: LRUCache<Key, Value>;
  readonly #ttl: () => number;
  #changes = 0;

  constructor({ ttl, ...options }: ReadThroughOptions<Key, Value>) {
    this.#ttl = typeof ttl === 'number' ? () => ttl : ttl;
    this.#known = new LRUCache({ ttlResolution: 0, ttl: this.#ttl(), ...options });
  }

  /** The cached value, or else what `read` finds. Null is not cached. */
  get<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Value | Found> {
    const known = this.#known.get(key);
    return known === undefined ? this.#readAnew(key, read) : Promise.resolve(known);
  }

  async #readAnew<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Found> {
    const changesBefore = this.#changes;
    const found = await read();
    // A change made during the read may be missing in its answer.
    if (found !== null && this.#changes === changesBefore) this.#known.set(key, found, { ttl: this.#ttl() });
    return found;
  }

  /** Drops a key: the next `get` reads anew, and a read under way is not cached. */
  forget(key: Key): void {
    this.#changes += 1;
    this.#known.delete(key);
  }

  /** Drops all keys of which `isMeant` is true, by the key or by what is known of it. */
  forgetWhere(isMeant: (key: Key, value: Value) => boolean): void {
    this.#changes += 1;
    const meant = [...this.#known.entries()].filter(([key, value]) => isMeant(key, value));
    for (const [key] of meant) this.#known.delete(key);
  }
}
