import type { ServiceKey } from '#domain/services/service-key.ts';

/** The permissions of a user that an access token withholds: services, and all changes. */
export type Withheld = Readonly<{ services: readonly ServiceKey[]; changes: boolean }>;

/**
 * A user who can sign in. `signedOutBefore` is Unix ms: sessions issued before it are invalid; null means none were
 * ended.
 */
export type User = Readonly<{
  id: number;
  email: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  signedOutBefore: number | null;
  /** Present when the user acts through a limited access token: what that token withholds. */
  withheld?: Withheld;
}>;

/** The user id of the guest, who passes authentication and has no permissions (SESS-012). */
export const guestUserId = 0;

/** The guest, which `/set` makes of a caller who is not signed in. */
export const guest: User = { id: guestUserId, email: 'guest', permissions: [], isAdmin: false, signedOutBefore: null };
