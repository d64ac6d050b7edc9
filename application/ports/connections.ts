import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** Whose connection it is, and to which service. */
export type ConnectionPlace = Readonly<{ userId: number; service: ServiceKey }>;

/** A connection as it is kept: the credentials, and how they are doing. */
export type StoredConnection = Readonly<{ record: TokenRecord; status: ConnectionStatus }>;

/** What a user is connected to, without any credentials. */
export type ConnectionOverview = Readonly<{
  /** The services with a connection, whatever its status: one that has to be connected anew says so when it is called. */
  services: ReadonlySet<ServiceKey>;
  /** Whether the vault among them is the team's; false for one of the user's own, and for none. */
  isInTeamVault: boolean;
}>;

/**
 * The connections of users to services: at most one per user and service, its credentials sealed at rest. Credentials that cannot be opened
 * come as empty ones (`isReadable`) with the status `reconnect`.
 */
export interface Connections {
  /** The connection as calls use it, null when there is none; what another process has changed may be seen 2 s late. */
  find(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /** The connection as it is stored at this moment, null when there is none; `find` sees it so from then on. */
  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null>;
  /** All of a user's connections as they are stored, in the order of the service keys. */
  list(userId: number): Promise<readonly StoredConnection[]>;
  /** What the user is connected to; asked with each list of tools. What another process has changed may be seen 2 s late. */
  overview(userId: number): Promise<ConnectionOverview>;
  /** Where there are credentials that end and can be renewed, of all users, those that cannot be opened among them. */
  renewable(): Promise<readonly ConnectionPlace[]>;
  /** Where credentials are refused, of all users, and their next probe is due at `now` (Unix ms). */
  dueForProbe(now: number): Promise<readonly ConnectionPlace[]>;
  /** Keeps the connection in place of an earlier one of the same user and service, credentials and status in one step. */
  save(record: TokenRecord, status: ConnectionStatus): Promise<void>;
  /**
   * Keeps renewed credentials in place of `before`, as `connected`; false, and nothing changed, when those kept are not these any more (the
   * access token is another, or the connection is gone): what a user did meanwhile is never overwritten.
   */
  replace(before: TokenRecord, after: TokenRecord): Promise<boolean>;
  /** Keeps another status of the connection; false, and nothing changed, when there is no connection any more. */
  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean>;
  /** Forgets the connection; false when there was none. */
  remove(userId: number, service: ServiceKey): Promise<boolean>;
}
