import { LRUCache } from 'lru-cache';
import { ForwardingInbox } from '#adapters/stores/forwarding-inbox.ts';
import type { EntryPlace, NewInboxEntry } from '#application/ports/webhook-inbox.ts';

/** The most that is remembered, in characters, and for how long, in ms: a delivery that is worked on later is read from the store. */
const maxCharacters = 2_097_152;
const ttlMs = 30_000;

/**
 * Remembers the bodies of deliveries that this process has just stored, until each is read once: what comes in is mostly
 * worked on at once, and need be neither read again nor decrypted.
 */
export class RecentBodies extends ForwardingInbox {
  readonly #bodies = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (body) => Math.max(1, body.length),
    ttl: ttlMs,
  });

  override async keep(entries: readonly NewInboxEntry[]): Promise<number> {
    const kept = await this.inner.keep(entries);
    // Where some were known before, what is stored may differ from what came now.
    if (kept === entries.length) for (const entry of entries) this.#bodies.set(keyOf(entry), entry.body);
    return kept;
  }

  override async body(entry: EntryPlace): Promise<string | null> {
    const key = keyOf(entry);
    const body = this.#bodies.get(key);
    if (body === undefined) return this.inner.body(entry);
    this.#bodies.delete(key);
    return body;
  }
}

function keyOf({ service, deliveryId }: Pick<EntryPlace, 'service' | 'deliveryId'>): string {
  return `${service}/${deliveryId}`;
}
