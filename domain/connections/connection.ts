import type { Refusals } from '#domain/connections/refusals.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/**
 * How a connection stands: `connected` works; `unchecked` was kept while the provider could not be reached; `degraded`
 * cannot be renewed, or is refused, for now, and is tried again; `reconnect` was refused for so long that the user is needed.
 */
export const connectionStates = ['connected', 'unchecked', 'degraded', 'reconnect'] as const;

/** One of the four states. */
export type ConnectionState = (typeof connectionStates)[number];

/** The state of one connection, since when (Unix ms), and why; `reason` is null while it works. */
export type ConnectionStanding = Readonly<{
  userId: number;
  service: ServiceKey;
  state: ConnectionState;
  since: number;
  reason: string | null;
  /** What is known of the refusals of its credentials; none while they are not refused. */
  refusals?: Refusals | null;
}>;

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
