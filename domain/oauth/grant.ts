import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/** The levels of access that a user chooses from for each service; `off` is none. */
export const accessLevels = ['off', 'read', 'full'] as const;

/** One of them. */
export type AccessLevel = (typeof accessLevels)[number];

/**
 * The access that a user grants a client, by service: `read` or `full`, in the order of the server's services; services
 * that are not in it are off. A grant only narrows the user's own permissions. A client gets full access unless the user
 * chooses less (AUTH-018).
 */
export type Grant = ReadonlyMap<ServiceKey, Exclude<AccessLevel, 'off'>>;

/** Returns the unlimited grant for a server with these services: that of a client whose user left all choices unchanged. */
export function everything(all: readonly ServiceKey[]): Grant {
  return new Map(all.map((service) => [service, 'full']));
}

/** What a user chooses for each service, with unvalidated service names; services that are not in it are off. */
export type GrantChoice = ReadonlyMap<string, AccessLevel>;

/**
 * Turns a user's choice into a grant. Services that the user has no permission for are ignored; one level for all that
 * they are permitted is that level for all services of the server, and full access to all includes those permitted
 * later. Fails with `no_service` when nothing that could be granted was selected.
 */
export function chooseGrant(
  user: User,
  choice: GrantChoice,
  all: readonly ServiceKey[],
): Result<Grant, { reason: 'no_service' }> {
  const { permissions } = user;
  if (permissions.every((service) => choice.get(service) === 'full')) return ok(everything(all));
  const isReading = permissions.every((service) => choice.get(service) === 'read');
  const grant: Grant = new Map(
    all.flatMap((service) => {
      const level = isReading ? 'read' : permissions.includes(service) ? choice.get(service) : undefined;
      return level === undefined || level === 'off' ? [] : [[service, level]];
    }),
  );
  return grant.size === 0 ? err({ reason: 'no_service' }) : ok(grant);
}

/** The stored scope of everything, including services that the user is permitted later. */
export const fullScope = '*';

/** The stored scope of reading everything, which grants have that were stored before scopes were. */
export const allReadScope = '*:read';

type Entry = readonly [ServiceKey, Exclude<AccessLevel, 'off'>];

const readSuffix = ':read';
const word = /^[a-z][a-z0-9_]*(?::read)?$/;

/**
 * Encodes a grant as a scope (RFC 6749 §3.3), such as `tracker:read vault` for reading the tracker and full access to
 * the vault; null for full access to `all`.
 */
export function scopeOf(grant: Grant, all: readonly ServiceKey[]): string | null {
  return all.every((service) => grant.get(service) === 'full') ? null : scopeWords(grant);
}

/** Returns the scope tokens of a grant, separated by spaces. */
export function scopeWords(grant: Grant): string {
  return [...grant].map(([service, level]) => (level === 'read' ? `${service}${readSuffix}` : service)).join(' ');
}

/** Returns all scope tokens that a client may request: each service, for full access and for reading. */
export function knownScopes(all: readonly ServiceKey[]): readonly string[] {
  return all.flatMap((service) => [service, `${service}${readSuffix}`]);
}

/**
 * Returns the choice that a requested scope stands for, which the consent page preselects; null when no token of it is
 * known. Of both tokens of a service the greater counts, since a client that steps up also requests what it has.
 */
export function choiceOfScope(scope: string, all: readonly ServiceKey[]): GrantChoice | null {
  const words = scope.split(' ');
  const choice = new Map(
    all.flatMap((service): readonly Entry[] => {
      if (words.includes(service)) return [[service, 'full']];
      return words.includes(`${service}${readSuffix}`) ? [[service, 'read']] : [];
    }),
  );
  return choice.size === 0 ? null : choice;
}

/**
 * Decodes a scope into a grant. Tokens for services that are not in `all` are ignored; a scope with anything else in it
 * cannot be read, and grants nothing. Of both tokens of a service the lesser counts.
 */
export function grantOfScope(scope: string, all: readonly ServiceKey[]): Grant {
  if (scope === fullScope) return everything(all);
  if (scope === allReadScope) return new Map(all.map((service) => [service, 'read']));
  const words = scope.split(' ');
  if (!words.every((one) => word.test(one))) return new Map();
  return new Map(
    all.flatMap((service): readonly Entry[] => {
      if (words.includes(`${service}${readSuffix}`)) return [[service, 'read']];
      return words.includes(service) ? [[service, 'full']] : [];
    }),
  );
}

/** Returns a user as an app acts for them that was granted this scope; null or `fullScope` limits nothing. */
export function underScope(scope: string | null, user: User, all: readonly ServiceKey[]): User {
  return scope === null || scope === fullScope ? user : limitedTo(grantOfScope(scope, all), user);
}

/** Restricts a user to a grant, for a client that acts on their behalf. Such a caller is never an administrator. */
export function limitedTo(grant: Grant, user: User): User {
  const readOnly = user.permissions.filter((service) => grant.get(service) === 'read');
  return {
    ...user,
    permissions: user.permissions.filter((service) => grant.has(service)),
    isAdmin: false,
    withheld: {
      services: user.permissions.filter((service) => !grant.has(service)),
      changes: readOnly.length > 0 || grant.size === 0,
      readOnly,
    },
  };
}
