import type { ServiceKey } from '#domain/services/service-key.ts';

/** Which services a user is connected to, told quickly: it is asked with each list of tools. */
export interface ConnectedServices {
  /** The services with a connection, in whatever state: one that has to be connected anew says so when it is called. */
  of(userId: number): Promise<ReadonlySet<ServiceKey>>;
  /** Whether the vault that the user is connected to is the team's; false for one of their own, and for none. */
  isInTeamVault(userId: number): Promise<boolean>;
}
