import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A choice that a user has when connecting: a member of `extra` and the values that it may have. */
export type ConnectionChoice = Readonly<{ name: string; values: readonly string[] }>;

/** How a service can be connected on this server. `missing` names the settings that an administrator has yet to make. */
export type ConnectionWay = Readonly<{
  /** Null for a service without OAuth. */
  oauth: Readonly<{ missing: readonly string[] }> | null;
  keys: Readonly<{
    missing: readonly string[];
    /** The one method without OAuth; null for a service that has OAuth only. */
    method: Exclude<AuthMethod, 'oauth'> | null;
    /** Whether the address is given with the connection. */
    hasOwnAddress: boolean;
    /** What the service is called in the middle of a sentence. */
    noun: string;
  }>;
  choices: readonly ConnectionChoice[];
  /** Members of `extra` that say how many there are of something, such as `seats`. */
  counts: readonly string[];
}>;

/** What the services say of how they are connected. */
export interface ConnectionWays {
  /** The ways to a service; null for a service that this server does not speak to. */
  find(service: ServiceKey): ConnectionWay | null;
  /** The metadata that a connection may keep of what a user gave: checked, and without members that are the server's own. */
  checkExtra(
    service: ServiceKey,
    given: Readonly<Record<string, unknown>>,
  ): Result<Readonly<Record<string, unknown>>, Readonly<{ reason: 'invalid_extra'; message: string }>>;
}
