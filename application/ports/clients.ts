import type { Client } from '#domain/oauth/client.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Stores the registered OAuth clients, bounded. Clients that nobody has signed in with are evicted first, the least
 * recently used of them, so that a flood of registrations evicts none that is in use. The client being stored is never
 * the one evicted.
 */
export interface Clients {
  /** Stores a client by its id. */
  keep(client: Client): Promise<void>;
  /** Returns the client, which counts as a use; `not_found` for an unknown id (AUTH-008). */
  find(id: string): Promise<Result<Client, { reason: 'not_found' }>>;
  /**
   * Records that a user signed in with the client; no-op for an unknown id. Preserved when the client is stored again.
   */
  noteSignIn(id: string): Promise<void>;
}
