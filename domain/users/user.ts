import type { ServiceKey } from '#domain/services/service-key.ts';

/** What an access token keeps back of what its user may do: services that they are permitted, and all changes. */
export type Withheld = Readonly<{ services: readonly ServiceKey[]; changes: boolean }>;

/** Somebody who can sign in. `signedOutBefore` is Unix ms: sessions issued before it no longer count; null means none were ended. */
export type User = Readonly<{
  id: number;
  email: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  signedOutBefore: number | null;
  /** There when an access token speaks for the user that does not mean everything: the rest is what it leaves of them. */
  withheld?: Withheld;
}>;

/** The user id of the guest: passes authentication and may do nothing (SESS-012). */
export const guestUserId = 0;

/** The guest. `/set` makes a caller who is not signed in one. */
export const guest: User = { id: guestUserId, email: 'guest', permissions: [], isAdmin: false, signedOutBefore: null };

/** Whether the user speaks through an access token that does not mean everything. */
export function isLimited(user: User): boolean {
  return user.withheld !== undefined;
}

/** Whether the user may use the service's operations and tools. */
export function isPermitted(user: User, service: ServiceKey): boolean {
  return user.permissions.includes(service);
}

/** Whether the user may change things where they are permitted at all. */
export function mayChange(user: User): boolean {
  return user.withheld?.changes !== true;
}
