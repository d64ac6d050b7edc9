import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/**
 * The access that a user gives a client: to these services, to change data or only to read. A grant only narrows the
 * user's own permissions. A client is granted everything unless the user chooses less (AUTH-018).
 */
export type Grant = Readonly<{ services: readonly ServiceKey[]; isReadonly: boolean }>;

/** Returns the grant without limits, for a server of these services: that of a client whose user was not asked, or left all choices unchanged. */
export function everything(all: readonly ServiceKey[]): Grant {
  return { services: all, isReadonly: false };
}

/** The user's choice on the consent page, with service names as they came; null means not asked. */
export type GrantChoice = Readonly<{ services: readonly string[] | null; isReadonly: boolean }>;

/**
 * Turns a user's choice into a grant. Names beyond the user's permissions give nothing; all that are permitted means
 * all services of the server, those permitted later included. `no_service` when a service could have been chosen and none
 * was.
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
 * Encodes a grant as a scope (RFC 6749 §3.3): `tracker vault`, or `tracker:read vault:read` to read only; null for
 * everything, which is `all`.
 */
export function scopeOf(grant: Grant, all: readonly ServiceKey[]): string | null {
  if (!grant.isReadonly && all.every((service) => grant.services.includes(service))) return null;
  return scopeWords(grant);
}

/** The words of a scope for these services. */
export function scopeWords({ services, isReadonly }: Grant): string {
  return services.map((service) => (isReadonly ? `${service}${readSuffix}` : service)).join(' ');
}

/** All words that a client may ask for as a scope: each service, to change and to read. */
export function knownScopes(all: readonly ServiceKey[]): readonly string[] {
  return all.flatMap((service) => [service, `${service}${readSuffix}`]);
}

/**
 * The choice that a client asks for by a scope, which the consent page begins with; null when no word of it is known. A word
 * for changes among others for reading means changes: a client that needs more asks for what it has, too.
 */
export function choiceOfScope(scope: string, all: readonly ServiceKey[]): GrantChoice | null {
  const words = scope.split(' ');
  const isAsked = (service: ServiceKey): boolean =>
    words.includes(service) || words.includes(`${service}${readSuffix}`);
  const services = all.filter(isAsked);
  return services.length === 0 ? null : { services, isReadonly: !services.some((service) => words.includes(service)) };
}

/** Decodes a scope into a grant. Words that are none of `all` give nothing. */
export function grantOfScope(scope: string, all: readonly ServiceKey[]): Grant {
  const words = scope.split(' ');
  const services = all.filter((service) => words.includes(service) || words.includes(`${service}${readSuffix}`));
  return { services, isReadonly: services.length === 0 || words.some((word) => word.endsWith(readSuffix)) };
}

/** Limits a user to a grant, for a client that acts for them. Such a caller is never an administrator. */
export function limitedTo({ services, isReadonly }: Grant, user: User): User {
  const isGranted = (service: ServiceKey): boolean => services.includes(service);
  return {
    ...user,
    permissions: user.permissions.filter(isGranted),
    isAdmin: false,
    withheld: { services: user.permissions.filter((service) => !isGranted(service)), changes: isReadonly },
  };
}
