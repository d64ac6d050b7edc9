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

/** Whether the caller may change data in a service that it is permitted to use; null for in any of them. */
export function mayChange({ withheld, permissions }: User, service: ServiceKey | null): boolean {
  if (withheld?.changes !== true) return true;
  const { readOnly } = withheld;
  if (readOnly === undefined) return false;
  return service === null ? permissions.some((one) => !readOnly.includes(one)) : !readOnly.includes(service);
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
export const howToWiden =
  'on the page /apps of this server, or as they authorize the app again (sign out in the app and connect again)';

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
    return failed('forbidden', `This app was not given the ${name}. Its user can change that: ${howToWiden}.`);
  }
  if (!isPermitted(user, service)) {
    return failed(
      'forbidden',
      `You may not use the ${names.of(service)}. An administrator can grant the permission key \`${service}\`.`,
    );
  }
  return isReading || mayChange(user, service) ? null : onlyReads(names.of(service));
}

/** The failure of a change attempted by an app that may only read a service, or all of them (null). */
export function onlyReads(name: string | null): Failure {
  const what = name === null ? '' : ` the ${name}`;
  return failed('forbidden', `This app may only read${what}. Its user can change that: ${howToWiden}.`);
}

type Switched = Readonly<{
  service: ServiceKey;
  name: string;
  effect: Effect;
  /** The operations that stand for it, whose switches count for it too. */
  standIns?: readonly string[];
}>;

/** Returns the key that switches off one operation: 'vault:notes.read'. */
export function operationSwitch({ service, name }: Pick<Switched, 'service' | 'name'>): string {
  return `${service}:${name}`;
}

/** Returns the key that switches off a service's operations of one effect: 'vault:*write'. */
export function groupSwitch({ service, effect }: Readonly<{ service: ServiceKey; effect: StoredEffect }>): string {
  return `${service}:*${effect}`;
}

/** What the user has switched off: for all apps, and for the one through which they act. */
export function switchesOf({ switchedOff = [], app }: Pick<User, 'switchedOff' | 'app'>): readonly string[] {
  const ofApp = app?.switchedOff ?? [];
  return ofApp.length === 0 ? switchedOff : [...switchedOff, ...ofApp];
}

/** Whether the user has switched a call with this effect off, by its operation or with its group. */
export function isSwitchedOff(user: User, operation: Switched): boolean {
  const switchedOff = switchesOf(user);
  if (switchedOff.length === 0) return false;
  const { service, name, effect, standIns = [] } = operation;
  const keys = [name, ...standIns].map((one) => operationSwitch({ service, name: one }));
  return [groupSwitch({ service, effect: storedEffectOf(effect) }), ...keys].some((key) => switchedOff.includes(key));
}

/** Whether the user has switched off all that an operation may do. */
export function isWhollyOff(
  user: User,
  { effects, ...operation }: Omit<Switched, 'effect'> & Readonly<{ effects: readonly Effect[] }>,
): boolean {
  return effects.every((effect) => isSwitchedOff(user, { ...operation, effect }));
}

/** The failure of an operation that the user has switched off. */
export function switchedOffFailure(service: ServiceKey, names: ServiceNames): Failure {
  const name = names.of(service);
  return failed(
    'forbidden',
    `Its user switched this off for apps. They can switch it on again on the page of their connection to the ${name}, or for one app on the page /apps.`,
  );
}
