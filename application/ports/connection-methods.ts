import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A choice that a user has when connecting: a member of `extra` and its possible values. */
export type ConnectionChoice = Readonly<{ name: string; values: readonly string[] }>;

/**
 * The connection methods of a service on this server. `missing` names the settings that an administrator has yet to
 * make.
 */
export type ConnectionMethod = Readonly<{
  /** Null for a service without OAuth. */
  oauth: Readonly<{ missing: readonly string[] }> | null;
  keys: Readonly<{
    missing: readonly string[];
    /** The only method without OAuth; null for a service with OAuth alone. */
    method: Exclude<AuthMethod, 'oauth'> | null;
    /** Whether the address is given with the connection. */
    hasOwnAddress: boolean;
    /** The service's name in the middle of a sentence. */
    noun: string;
  }>;
  choices: readonly ConnectionChoice[];
  /** The members of `extra` that hold a count, such as `seats`. */
  counts: readonly string[];
}>;

/** Describes how the services can be connected. */
export interface ConnectionMethods {
  /** Returns the connection methods of a service; null when this server does not support it. */
  find(service: ServiceKey): ConnectionMethod | null;
  /** Checks the metadata that a user gave and returns what may be stored, without members that only the server sets. */
  checkExtra(
    service: ServiceKey,
    given: Readonly<Record<string, unknown>>,
  ): Result<Readonly<Record<string, unknown>>, Readonly<{ reason: 'invalid_extra'; message: string }>>;
}
