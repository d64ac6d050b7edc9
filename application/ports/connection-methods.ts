import type { InputError } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { AuthMethod } from '#domain/tokens/token-record.ts';

/** A choice that a user makes when connecting: a member of `extra`, its possible values, and what people call them. */
export type ConnectionChoice = Readonly<{
  name: string;
  values: readonly string[];
  texts?: Readonly<Record<string, string>>;
}>;

/**
 * How a service can be connected on this server. `missing` names the settings that an administrator still has to make.
 */
export type ConnectionMethod = Readonly<{
  /** Null for a service without OAuth. */
  oauth: Readonly<{ missing: readonly string[] }> | null;
  keys: Readonly<{
    missing: readonly string[];
    /** The only method besides OAuth; null when there is none. */
    method: Exclude<AuthMethod, 'oauth'> | null;
    /** Whether the user gives the service's address when connecting. */
    hasOwnAddress: boolean;
    /** The service's name as used within a sentence. */
    noun: string;
  }>;
  choices: readonly ConnectionChoice[];
  /** The names of all members of `extra` that a user may give. */
  members: readonly string[];
  /** The members of `extra` that hold a count, such as `seats`. */
  counts: readonly string[];
  /** The members of `extra` that hold a text which people enter, and what they call it. */
  texts: readonly Readonly<{ name: string; text: string }>[];
}>;

/** Describes how the services can be connected. */
export interface ConnectionMethods {
  /** Returns the connection methods of a service; null when this server does not support the service. */
  find(service: ServiceKey): ConnectionMethod | null;
  /** Validates user-supplied metadata and returns what may be stored, without the members that only the server sets. */
  checkExtra(
    service: ServiceKey,
    given: Readonly<Record<string, unknown>>,
  ): Result<Readonly<Record<string, unknown>>, readonly InputError[]>;
}
