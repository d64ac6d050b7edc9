import type { ConnectionStanding } from '#domain/connections/connection.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A connection as a call finds it: its record, null when there is none, and what is kept of how it stands. */
export type KnownConnection = Readonly<{ record: TokenRecord | null; kept: ConnectionStanding | null }>;

/** Where calls look for their connection; what another process has changed may be seen 2 s late. */
export interface KnownConnections {
  /** The user's connection to the service. */
  find(userId: number, service: ServiceKey): Promise<KnownConnection>;
}
