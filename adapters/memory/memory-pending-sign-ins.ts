import { LRUCache } from 'lru-cache';
import type { PendingSignIn, PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Pending sign-ins in memory; evicts when full. */
export class MemoryPendingSignIns implements PendingSignIns {
  readonly #signIns: LRUCache<string, PendingSignIn>;

  /** `max` bounds the number of pending sign-ins. */
  constructor(max = 5_000) {
    this.#signIns = new LRUCache(entriesUpTo(max));
  }

  async keep(state: string, signIn: PendingSignIn): Promise<void> {
    this.#signIns.set(state, frozenCopy(signIn));
  }

  async take(state: string): Promise<PendingSignIn | null> {
    const signIn = this.#signIns.get(state) ?? null;
    this.#signIns.delete(state);
    return signIn;
  }
}
