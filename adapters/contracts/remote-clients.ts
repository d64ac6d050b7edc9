import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * This server as a client of the authorization server of a remote MCP server: entered by an administrator, or as it was
 * registered there.
 */
export type RemoteClient = Readonly<{
  service: ServiceKey;
  /**
   * The authorization server that knows it, and the only one that it is shown to. Null for one that was entered and not
   * used yet.
   */
  issuer: string | null;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** The redirect URI that was registered; null for one that was entered. */
  redirectUri: string | null;
  /** When the secret expires, Unix ms; null when it does not. */
  expiresAt: number | null;
}>;

/** Stores the clients, encrypted at rest: at most one that was entered and one that was registered per service. */
export interface RemoteClients {
  /** Returns the clients of a service; the one that was entered comes first. */
  of(service: ServiceKey): Promise<readonly RemoteClient[]>;
  /** Stores a client in place of the service's other one of its kind. */
  keep(client: RemoteClient): Promise<void>;
  /** Removes the clients of a service. */
  forget(service: ServiceKey): Promise<void>;
}
