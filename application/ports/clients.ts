import type { Client } from '#domain/oauth/client.ts';
import type { Result } from '#domain/shared/result.ts';

/** Stores the registered OAuth clients: in memory only, bounded; the longest unused is dropped first. */
export interface Clients {
  /** Stores a client under its id. */
  keep(client: Client): Promise<void>;
  /** Returns the client, which counts as a use; `not_found` for an unknown id (AUTH-008). */
  find(id: string): Promise<Result<Client, { reason: 'not_found' }>>;
}
