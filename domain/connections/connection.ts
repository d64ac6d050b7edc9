import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A connection as shown to its user, without tokens (CONN-007). Times are Unix ms. */
export type Connection = Readonly<{
  service: ServiceKey;
  authMethod: AuthMethod;
  scope: string | null;
  state: ConnectionState;
  expiresAt: number | null;
  since: number;
  /** Why it does not work and when it is retried, as one text (`troubleOf`); null while it works. */
  reason: string | null;
  /** When its rejected credentials are retried automatically, Unix ms; null when they are not. */
  retryAt: number | null;
  /** Whether this is the team's vault, which is shared by everybody with the permission and cannot be disconnected. */
  isTeams: boolean;
  /**
   * The SHA-256 fingerprint of the only certificate trusted for the connection; null when it is verified against the
   * system's authorities, or not at all.
   */
  certificateSha256: string | null;
  /** The name of its vendor, where the service has several; null otherwise. */
  vendor: string | null;
}>;
