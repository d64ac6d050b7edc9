import { LRUCache } from 'lru-cache';
import { forwarding } from '#adapters/stores/forwarding.ts';
import type { EntryPlace, WebhookInbox } from '#application/ports/webhook-inbox.ts';

/**
 * The maximum size of the cache, in characters, and its TTL, in ms; a body that is needed later is read from the store.
 */
const maxCharacters = 2_097_152;
const ttlMs = 30_000;

/**
 * Caches the bodies of deliveries that this process has just stored, until each is read once: deliveries are mostly
 * processed at once, and then need neither be read again nor decrypted.
 */
export function recentBodies(inner: WebhookInbox): WebhookInbox {
  const bodies = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (body) => Math.max(1, body.length),
    ttl: ttlMs,
  });
  return forwarding(inner, {
    keep: async (entries) => {
      const kept = await inner.keep(entries);
      // With duplicates among them, the stored body may differ from the new one.
      if (kept === entries.length) for (const entry of entries) bodies.set(keyOf(entry), entry.body);
      return kept;
    },
    body: async (entry) => {
      const key = keyOf(entry);
      const body = bodies.get(key);
      if (body === undefined) return inner.body(entry);
      bodies.delete(key);
      return body;
    },
  });
}

function keyOf({ service, deliveryId }: Pick<EntryPlace, 'service' | 'deliveryId'>): string {
  return `${service}/${deliveryId}`;
}
