import type { ServiceKey } from '#domain/services/service-key.ts';

/** Somebody who can sign in. `signedOutBefore` is Unix ms: sessions issued before it no longer count; null means none were ended. */
export type User = Readonly<{
  id: number;
  email: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  signedOutBefore: number | null;
}>;

/** The user id of the guest: passes authentication and may do nothing (decisions, Sessions). */
export const guestUserId = 0;

/** The guest. `/set` gives him to a caller who is not signed in. */
export const guest: User = { id: guestUserId, email: 'guest', permissions: [], isAdmin: false, signedOutBefore: null };

/** Whether the user may use the service's operations and tools. */
export function isPermitted(user: User, service: ServiceKey): boolean {
  return user.permissions.includes(service);
}
