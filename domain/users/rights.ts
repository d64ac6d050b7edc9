import { type Effect, type StoredEffect, storedEffectOf } from '#domain/operations/effect.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/** Whether the user acts through an access token that withholds permissions. */
export function isLimited(user: User): boolean {
  return user.withheld !== undefined;
}

/** Whether the user may use the service's operations and tools. */
export function isPermitted(user: User, service: ServiceKey): boolean {
  return user.permissions.includes(service);
}

/** Whether the caller may change data in the services it is permitted to use. */
export function mayChange(user: User): boolean {
  return user.withheld?.changes !== true;
}

/**
 * Returns the stored user with no more rights than an earlier copy has, which may be an app's; null when the user was
 * deactivated or signed out after it was made.
 */
export function narrowedTo(earlier: User, stored: User): User | null {
  const { permissions, isAdmin, signedOutBefore, withheld, app } = earlier;
  if (!isActive(stored) || (stored.signedOutBefore ?? 0) > (signedOutBefore ?? 0)) return null;
  return {
    ...stored,
    permissions: stored.permissions.filter((service) => permissions.includes(service)),
    isAdmin: stored.isAdmin && isAdmin,
    ...(withheld === undefined ? {} : { withheld }),
    ...(app === undefined ? {} : { app }),
  };
}

/** How to give an app more access, as a phrase for the middle of a sentence. */
export const howToWiden = 'authorize the app again (sign out in the app and connect again)';

/**
 * Returns the failure for a user who may not use the service for an operation, which says who can change that; null
 * when they may.
 */
export function permissionFailure(
  user: User,
  { service, isReading, names }: Readonly<{ service: ServiceKey; isReading: boolean; names: ServiceNames }>,
): Failure | null {
  if (user.withheld?.services.includes(service) === true) {
    const name = names.of(service);
    return failed(
      'forbidden',
      `This app was not given the ${name}. Its user can change that: ${howToWiden} and tick the ${name} on the consent page.`,
    );
  }
  if (!isPermitted(user, service)) {
    return failed(
      'forbidden',
      `You may not use the ${names.of(service)}. An administrator can grant the permission key \`${service}\`.`,
    );
  }
  return isReading || mayChange(user) ? null : onlyReads;
}

/** The failure of a change attempted by an app with read-only access. */
export const onlyReads: Failure = failed(
  'forbidden',
  `This app may only read. Its user can change that: ${howToWiden} and choose “Read and change” on the consent page.`,
);

type Switched = Readonly<{ service: ServiceKey; name: string; effect: Effect }>;

/** Returns the key that switches off one operation: 'vault:notes.read'. */
export function operationSwitch({ service, name }: Pick<Switched, 'service' | 'name'>): string {
  return `${service}:${name}`;
}

/** Returns the key that switches off a service's operations of one effect: 'vault:*write'. */
export function groupSwitch({ service, effect }: Readonly<{ service: ServiceKey; effect: StoredEffect }>): string {
  return `${service}:*${effect}`;
}

/** Whether the user has switched a call with this effect off for apps, by its operation or with its group. */
export function isSwitchedOff({ switchedOff = [] }: User, operation: Switched): boolean {
  if (switchedOff.length === 0) return false;
  const group = groupSwitch({ service: operation.service, effect: storedEffectOf(operation.effect) });
  return switchedOff.includes(operationSwitch(operation)) || switchedOff.includes(group);
}

/** Whether the user has switched off all that an operation may do. */
export function isWhollyOff(
  user: User,
  { service, name, effects }: Readonly<{ service: ServiceKey; name: string; effects: readonly Effect[] }>,
): boolean {
  return effects.every((effect) => isSwitchedOff(user, { service, name, effect }));
}

/** The failure of an operation that the user has switched off. */
export function switchedOffFailure(service: ServiceKey, names: ServiceNames): Failure {
  const name = names.of(service);
  return failed(
    'forbidden',
    `Its user switched this off for apps. They can switch it on again on the page of their connection to the ${name}.`,
  );
}
