import type { Clients } from '#application/ports/clients.ts';
import type { Client } from '#domain/oauth/client.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Clients in memory; the least recently used is evicted when full, those that nobody signed in with first. */
export class MemoryClients implements Clients {
  /** Clients that nobody has signed in with, and those that somebody has; the least recently used first. */
  readonly #strangers = new Map<string, Client>();
  readonly #signedIn = new Map<string, Client>();
  readonly #max: number;

  /** `max` bounds the number of clients (REG-014). */
  constructor(max = 10_000) {
    this.#max = max;
  }

  async keep(client: Client): Promise<void> {
    moveToEnd(this.#mapOf(client.id), client.id, frozenCopy(client));
    if (this.#strangers.size + this.#signedIn.size <= this.#max) return;
    const [unused] = [...firstKeys(this.#strangers), ...firstKeys(this.#signedIn)].filter((id) => id !== client.id);
    if (unused !== undefined) this.#mapOf(unused).delete(unused);
  }

  async find(id: string): Promise<Result<Client, { reason: 'not_found' }>> {
    const client = this.#mapOf(id).get(id);
    if (client === undefined) return err({ reason: 'not_found' });
    moveToEnd(this.#mapOf(id), id, client);
    return ok(client);
  }

  async noteSignIn(id: string): Promise<void> {
    const client = this.#strangers.get(id);
    if (client === undefined) return;
    this.#strangers.delete(id);
    this.#signedIn.set(id, client);
  }

  #mapOf(id: string): Map<string, Client> {
    return this.#signedIn.has(id) ? this.#signedIn : this.#strangers;
  }
}

function moveToEnd(clients: Map<string, Client>, id: string, client: Client): void {
  clients.delete(id);
  clients.set(id, client);
}

/** The first two keys, since the first may be the one to keep. */
function firstKeys(clients: ReadonlyMap<string, Client>): readonly string[] {
  return [...clients.keys().take(2)];
}
