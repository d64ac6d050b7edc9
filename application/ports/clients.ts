import type { Client } from '#domain/oauth/client.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Stores the registered OAuth clients, bounded: those that nobody signed in with are dropped first, the longest unused of
 * them, so that a flood of registrations pushes out none that is in use. The one that is being kept always finds room.
 */
export interface Clients {
  /** Stores a client under its id. */
  keep(client: Client): Promise<void>;
  /** Returns the client, which counts as a use; `not_found` for an unknown id (AUTH-008). */
  find(id: string): Promise<Result<Client, { reason: 'not_found' }>>;
  /** Notes that a user signed in with the client; nothing happens for an unknown id. It lasts when the client is kept again. */
  noteSignIn(id: string): Promise<void>;
}
