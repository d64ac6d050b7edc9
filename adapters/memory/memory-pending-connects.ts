import { LRUCache } from 'lru-cache';
import type { PendingConnect, PendingConnects } from '#application/ports/pending-connects.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Pending OAuth connects in memory; evicts when full. */
export class MemoryPendingConnects implements PendingConnects {
  readonly #connects: LRUCache<string, PendingConnect>;

  /** `max` bounds the number of pending connects. */
  constructor(max = 1_000) {
    this.#connects = new LRUCache(entriesUpTo(max));
  }

  async keep(state: string, connect: PendingConnect): Promise<void> {
    this.#connects.set(state, frozenCopy(connect));
  }

  async take(state: string): Promise<PendingConnect | null> {
    const connect = this.#connects.get(state) ?? null;
    this.#connects.delete(state);
    return connect;
  }
}
