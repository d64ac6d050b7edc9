import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A connection as its user may see it, without its tokens (CONN-007). Times are Unix ms. */
export type Connection = Readonly<{
  service: ServiceKey;
  authMethod: AuthMethod;
  scope: string | null;
  state: ConnectionState;
  expiresAt: number | null;
  since: number;
  /** Why it does not work, and when it is retried, as one text (`troubleOf`). */
  reason: string | null;
  /** When its rejected credentials are retried automatically, Unix ms; null when they are not. */
  retryAt: number | null;
  /** Whether it is the team's vault, which everybody with the permission works in and nobody can disconnect. */
  isTeams: boolean;
  /**
   * The SHA-256 fingerprint of the only certificate that is trusted there; null where the system's authorities, or all
   * certificates, are trusted.
   */
  certificateSha256: string | null;
}>;
