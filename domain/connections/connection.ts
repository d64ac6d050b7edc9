import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A connection as its user may see it: never a token (CONN-007). Times are Unix ms. */
export type Connection = Readonly<{
  service: ServiceKey;
  authMethod: AuthMethod;
  scope: string | null;
  state: ConnectionState;
  expiresAt: number | null;
  since: number;
  /** Why it does not work, and when it is looked at again, as one text (`troubleOf`). */
  reason: string | null;
  /** When its credentials, which are refused, are tried again by themselves, Unix ms; null when they are not. */
  retryAt: number | null;
  /** Whether it is the team's vault, which everybody with the permission works in and nobody can disconnect. */
  isTeams: boolean;
  /** The SHA-256 fingerprint of the one certificate that is trusted there; null where the usual authorities are, or all are. */
  certificateSha256: string | null;
}>;
