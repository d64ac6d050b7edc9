import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The user and the service of a connection. */
export type ConnectionPlace = Readonly<{ userId: number; service: ServiceKey }>;

/** A connection as stored: its credentials and its status. */
export type StoredConnection = Readonly<{ record: TokenRecord; status: ConnectionStatus }>;

/** The services that a user is connected to, without credentials. */
export type ConnectionOverview = Readonly<{
  /** The services with a connection, whatever its status: one that needs reconnecting says so when it is called. */
  services: ReadonlySet<ServiceKey>;
  /** Whether the connected vault is the team's; false for the user's own, and for none. */
  isInTeamVault: boolean;
}>;

/**
 * Stores users' connections to services: at most one per user and service, its credentials encrypted at rest.
 * Credentials that cannot be decrypted are returned empty (`isReadable`) with the status `reconnect`.
 */
export interface Connections {
  /** Returns the connection for a call, null when there is none; changes by another process may be seen 2 s late. */
  find(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /**
   * Returns the connection as it is stored at this moment, null when there is none; `find` returns the same from then
   * on.
   */
  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /** Lists all of a user's connections as they are stored, in the order of the service keys. */
  list(userId: number): Promise<readonly StoredConnection[]>;
  /** Returns the user's overview, for each list of tools. Changes by another process may be seen 2 s late. */
  overview(userId: number): Promise<ConnectionOverview>;
  /** Lists the connections of all users whose credentials expire and can be renewed, undecryptable ones included. */
  renewable(): Promise<readonly ConnectionPlace[]>;
  /** Lists the connections of all users whose credentials are rejected and due for a probe at `now` (Unix ms). */
  dueForProbe(now: number): Promise<readonly ConnectionPlace[]>;
  /**
   * Stores the connection in place of an earlier one of the same user and service, credentials and status in one step.
   */
  save(record: TokenRecord, status: ConnectionStatus): Promise<void>;
  /**
   * Stores renewed credentials in place of `before`, as `connected`; false, and nothing changed, when the stored ones
   * are no longer these (the access token is another, or the connection is gone): what a user did meanwhile is never
   * overwritten.
   */
  replace(before: TokenRecord, after: TokenRecord): Promise<boolean>;
  /** Stores another status of the connection; false, and nothing changed, when the connection no longer exists. */
  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean>;
  /** Removes the connection; false when there was none. */
  remove(userId: number, service: ServiceKey): Promise<boolean>;
}

/** A store of connections as an adapter implements it: beside the port, what a change of keys needs. */
export interface ConnectionStore extends Connections {
  /** Lists the places of all connections, by user and service. */
  places(): Promise<readonly ConnectionPlace[]>;
  /**
   * Stores the same credentials as other texts in place of `before`, and leaves the status as it is; false, and nothing
   * changed, when the stored ones are no longer these, as with `replace`.
   */
  rewrite(before: TokenRecord, after: TokenRecord): Promise<boolean>;
}
