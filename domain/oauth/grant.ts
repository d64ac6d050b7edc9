import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The access that a user grants a client: the services, and whether it may change data or only read. A grant only
 * narrows the user's own permissions. A client gets full access unless the user chooses less (AUTH-018).
 */
export type Grant = Readonly<{ services: readonly ServiceKey[]; isReadonly: boolean }>;

/**
 * Returns the unlimited grant for a server with these services: that of a client whose user was not asked, or left all
 * choices unchanged.
 */
export function everything(all: readonly ServiceKey[]): Grant {
  return { services: all, isReadonly: false };
}

/** The user's choice on the consent page, with unvalidated service names; null means not asked. */
export type GrantChoice = Readonly<{ services: readonly string[] | null; isReadonly: boolean }>;

/**
 * Turns a user's choice into a grant. Services that the user has no permission for are ignored; selecting all permitted
 * ones grants all services of the server, including those permitted later. Fails with `no_service` when nothing that
 * could be granted was selected.
 */
export function chooseGrant(
  user: User,
  choice: GrantChoice,
  all: readonly ServiceKey[],
): Result<Grant, { reason: 'no_service' }> {
  const { services: names, isReadonly } = choice;
  const isChosen = (service: ServiceKey): boolean => names === null || names.includes(service);
  if (user.permissions.every(isChosen)) return ok({ ...everything(all), isReadonly });
  const services = all.filter((service) => user.permissions.includes(service) && isChosen(service));
  return services.length === 0 ? err({ reason: 'no_service' }) : ok({ services, isReadonly });
}

const readSuffix = ':read';

/**
 * Encodes a grant as a scope (RFC 6749 §3.3): `tracker vault`, or `tracker:read vault:read` for read-only access; null
 * for full access to `all`.
 */
export function scopeOf(grant: Grant, all: readonly ServiceKey[]): string | null {
  if (!grant.isReadonly && all.every((service) => grant.services.includes(service))) return null;
  return scopeWords(grant);
}

/** Returns the scope tokens for these services, separated by spaces. */
export function scopeWords({ services, isReadonly }: Grant): string {
  return services.map((service) => (isReadonly ? `${service}${readSuffix}` : service)).join(' ');
}

/** Returns all scope tokens that a client may request: each service, for read-write and for read-only access. */
export function knownScopes(all: readonly ServiceKey[]): readonly string[] {
  return all.flatMap((service) => [service, `${service}${readSuffix}`]);
}

/**
 * Returns the choice that a requested scope stands for, which the consent page preselects; null when no token of it is
 * known. Read-write access to any of the services makes the whole choice read-write, since a client that steps up also
 * requests what it already has.
 */
export function choiceOfScope(scope: string, all: readonly ServiceKey[]): GrantChoice | null {
  const words = scope.split(' ');
  const isAsked = (service: ServiceKey): boolean =>
    words.includes(service) || words.includes(`${service}${readSuffix}`);
  const services = all.filter(isAsked);
  return services.length === 0 ? null : { services, isReadonly: !services.some((service) => words.includes(service)) };
}

/** Decodes a scope into a grant. Tokens for services that are not in `all` are ignored. */
export function grantOfScope(scope: string, all: readonly ServiceKey[]): Grant {
  const words = scope.split(' ');
  const services = all.filter((service) => words.includes(service) || words.includes(`${service}${readSuffix}`));
  return { services, isReadonly: services.length === 0 || words.some((word) => word.endsWith(readSuffix)) };
}

/** Restricts a user to a grant, for a client that acts on their behalf. Such a caller is never an administrator. */
export function limitedTo({ services, isReadonly }: Grant, user: User): User {
  const isGranted = (service: ServiceKey): boolean => services.includes(service);
  return {
    ...user,
    permissions: user.permissions.filter(isGranted),
    isAdmin: false,
    withheld: { services: user.permissions.filter((service) => !isGranted(service)), changes: isReadonly },
  };
}
