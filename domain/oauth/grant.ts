import { type ServiceKey, serviceKeys } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

/**
 * What a user lets a client do: use these services, and change things there or only read. A grant only ever takes away: the
 * user's permissions count too. A client is given everything unless the user chooses less (AUTH-018).
 */
export type Grant = Readonly<{ services: readonly ServiceKey[]; isReadonly: boolean }>;

/** The grant that takes nothing away: what a client has whose user was not asked, or left everything as it stood. */
export const everything: Grant = { services: serviceKeys, isReadonly: false };

/** What was chosen on the consent page, with services by the names that came; null is "not asked". */
export type GrantChoice = Readonly<{ services: readonly string[] | null; isReadonly: boolean }>;

/**
 * The grant that a user's choice makes. Names beyond the user's permissions give nothing; all that are permitted means all services, those
 * that are permitted later included. `no_service` when one could have been chosen and none was.
 */
export function chooseGrant(user: User, choice: GrantChoice): Result<Grant, { reason: 'no_service' }> {
  const { services: names, isReadonly } = choice;
  const isChosen = (service: ServiceKey): boolean => names === null || names.includes(service);
  if (user.permissions.every(isChosen)) return ok(isReadonly ? { ...everything, isReadonly } : everything);
  const services = serviceKeys.filter((service) => user.permissions.includes(service) && isChosen(service));
  return services.length === 0 ? err({ reason: 'no_service' }) : ok({ services, isReadonly });
}

const readSuffix = ':read';

/** The grant as a scope (RFC 6749 §3.3): `tracker vault`, or `tracker:read vault:read` to read only; null for everything. */
export function scopeOf({ services, isReadonly }: Grant): string | null {
  if (!isReadonly && serviceKeys.every((service) => services.includes(service))) return null;
  return services.map((service) => (isReadonly ? `${service}${readSuffix}` : service)).join(' ');
}

/** The grant that a scope says. Words that are not known give nothing. */
export function grantOfScope(scope: string): Grant {
  const words = scope.split(' ');
  const services = serviceKeys.filter(
    (service) => words.includes(service) || words.includes(`${service}${readSuffix}`),
  );
  return { services, isReadonly: services.length === 0 || words.some((word) => word.endsWith(readSuffix)) };
}

/** The user as far as a grant lets a client act for him. Such a caller is no administrator, whoever the user is. */
export function limitedTo({ services, isReadonly }: Grant, user: User): User {
  const isGranted = (service: ServiceKey): boolean => services.includes(service);
  return {
    ...user,
    permissions: user.permissions.filter(isGranted),
    isAdmin: false,
    withheld: { services: user.permissions.filter((service) => !isGranted(service)), changes: isReadonly },
  };
}
