import { LRUCache } from 'lru-cache';
import type { Clients } from '#application/ports/clients.ts';
import type { Client } from '#domain/oauth/client.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Clients in the memory of this process; the longest unused makes room for a new one. */
export class MemoryClients implements Clients {
  readonly #clients: LRUCache<string, Client>;

  /** `max` bounds how many are held (REG-014). */
  constructor(max = 10_000) {
    this.#clients = new LRUCache({ max });
  }

  async keep(client: Client): Promise<void> {
    this.#clients.set(client.id, frozenCopy(client));
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const client = this.#clients.get(id);
    return client === undefined ? err({ reason: 'not_found' }) : ok(client);
  }
}
