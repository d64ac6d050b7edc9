import type { ConnectionStanding } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** How the connections stand, one entry per user and service. */
export interface ConnectionStandings {
  /** The entry, or null when there is none: the connection is as good as its record. */
  find(userId: number, service: ServiceKey): Promise<ConnectionStanding | null>;
  /** All entries of a user. */
  list(userId: number): Promise<readonly ConnectionStanding[]>;
  /** The entries, of all users, whose credentials are refused and whose next probe is due at `now` (Unix ms). */
  dueForProbe(now: number): Promise<readonly ConnectionStanding[]>;
  /** Keeps the entry in place of an earlier one. */
  keep(standing: ConnectionStanding): Promise<void>;
  /** Forgets the entry. */
  remove(userId: number, service: ServiceKey): Promise<void>;
}
