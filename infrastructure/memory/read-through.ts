import { LRUCache } from 'lru-cache';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/** How long a value is cached, in ms; a function is called for each value. */
export type Lifetime = number | (() => number);

/** The cache's options: the lifetime and the maximum number of values. */
type ReadThroughOptions<Key extends {}, Value extends {}> = Omit<LRUCache.Options<Key, Value, unknown>, 'ttl'> &
  Readonly<{ max: number; ttl: Lifetime }>;

/**
 * A read-through cache with a short lifetime. `forget` invalidates a key at once; other changes are seen when the
 * lifetime ends.
 */
export class ReadThrough<Key extends {}, Value extends {}> {
  readonly #known: LRUCache<Key, Value>;
  readonly #ttl: () => number;
  #changes = 0;

  constructor({ ttl, max, ...options }: ReadThroughOptions<Key, Value>) {
    this.#ttl = typeof ttl === 'number' ? () => ttl : ttl;
    this.#known = new LRUCache({ ttlResolution: 0, ttl: this.#ttl(), ...entriesUpTo(max), ...options });
  }

  /** Returns the cached value, or what `read` finds. Null is not cached. */
  get<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Value | Found> {
    const known = this.#known.get(key);
    return known === undefined ? this.#load(key, read) : Promise.resolve(known);
  }

  async #load<Found extends Value | null>(key: Key, read: () => Promise<Found>): Promise<Found> {
    const changesBefore = this.#changes;
    const found = await read();
    // The result of a read that overlaps a change may be outdated and is not cached.
    if (found !== null && this.#changes === changesBefore) this.#known.set(key, found, { ttl: this.#ttl() });
    return found;
  }

  /** Invalidates a key; the result of a read in progress is not cached. */
  forget(key: Key): void {
    this.#changes += 1;
    this.#known.delete(key);
  }

  /** Invalidates all keys for which `isMeant` is true, by key or cached value. */
  forgetWhere(isMeant: (key: Key, value: Value) => boolean): void {
    this.#changes += 1;
    const meant = [...this.#known.entries()].filter(([key, value]) => isMeant(key, value));
    for (const [key] of meant) this.#known.delete(key);
  }
}
