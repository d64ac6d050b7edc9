import type { Client } from '#domain/oauth/client.ts';
import type { Result } from '#domain/shared/result.ts';

/** The registered OAuth clients: held in memory only, bounded; the longest unused goes first. */
export interface Clients {
  /** Keeps a client under its id. */
  keep(client: Client): Promise<void>;
  /** The client, which counts as a use; `not_found` for an unknown id (AUTH-008). */
  find(id: string): Promise<Result<Client, { reason: 'not_found' }>>;
}
