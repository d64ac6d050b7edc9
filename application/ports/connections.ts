import type { ConnectionState, ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Identifies a connection by its user and service. */
export type ConnectionPlace = Readonly<{ userId: number; service: ServiceKey }>;

/** A connection as stored: its credentials and its status. */
export type StoredConnection = Readonly<{ record: TokenRecord; status: ConnectionStatus }>;

/** One of a user's connections, without credentials. The team's vault is `isTeams`. */
export type StatedConnection = ConnectionPlace & Readonly<{ state: ConnectionState; isTeams: boolean }>;

/** The services that a user is connected to, without credentials. */
export type ConnectionOverview = Readonly<{
  /** The services with a connection, whatever its status: a call over one that needs reconnecting says so. */
  services: ReadonlySet<ServiceKey>;
  /** Whether the connected vault is the team's; false for the user's own vault, and for none. */
  isInTeamVault: boolean;
}>;

/**
 * Stores users' connections to services: at most one per user and service, its credentials encrypted at rest.
 * Credentials that cannot be decrypted are returned empty (`isReadable`) with the status `reconnect`.
 */
export interface Connections {
  /**
   * Returns the connection for a call, null when there is none; may lag behind changes by other processes by up to 2 s.
   */
  find(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /**
   * Returns the connection as currently stored, null when there is none; later calls of `find` are at least as recent.
   */
  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /** Lists all of a user's connections as stored, ordered by service key. */
  list(userId: number): Promise<readonly StoredConnection[]>;
  /** Returns the user's overview, for lists of tools; may lag behind changes by other processes by up to 2 s. */
  overview(userId: number): Promise<ConnectionOverview>;
  /** Lists the connections of these users as stored, without credentials, by user and service. */
  statesOf(userIds: readonly number[]): Promise<readonly StatedConnection[]>;
  /** Lists all connections, by user and service. */
  places(): Promise<readonly ConnectionPlace[]>;
  /**
   * Lists all users' connections whose credentials expire and can be renewed, including undecryptable ones; with `due`
   * only those that may be due, without those that the user has to reconnect. A store may list more.
   */
  renewable(due?: RenewalsDue): Promise<readonly ConnectionPlace[]>;
  /** Lists all users' connections whose credentials are rejected and due for a probe at `now` (Unix ms). */
  dueForProbe(now: number): Promise<readonly ConnectionPlace[]>;
  /** Atomically stores a connection's credentials and status, replacing those of the same user and service. */
  save(record: TokenRecord, status: ConnectionStatus): Promise<void>;
  /**
   * Stores renewed credentials as `connected` if the stored ones still are `before`; false, with nothing changed, when
   * the access token differs or the connection was removed. A change by the user is never overwritten.
   */
  replace(before: TokenRecord, after: TokenRecord): Promise<boolean>;
  /** Stores the connection's status; false, with nothing changed, when the connection no longer exists. */
  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean>;
  /** Removes the connection; false when there was none. */
  remove(userId: number, service: ServiceKey): Promise<boolean>;
}

/**
 * Which renewals are due: of credentials of each service that were stored at `storedUntil` or before, and of those that
 * expire at `expiresUntil` or before; Unix ms.
 */
export type RenewalsDue = Readonly<{
  services: readonly Readonly<{ service: ServiceKey; storedUntil: number }>[];
  expiresUntil: number;
}>;

/** A connection store as an adapter implements it: the port plus what key rotation needs. */
export interface ConnectionStore extends Connections {
  /**
   * Replaces the stored text of the same credentials without changing the status; false, with nothing changed, when
   * the stored ones are no longer `before`, as with `replace`.
   */
  rewrite(before: TokenRecord, after: TokenRecord): Promise<boolean>;
}
