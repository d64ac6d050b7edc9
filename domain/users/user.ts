import type { AskChoice } from '#domain/changes/ask-policy.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The permissions of a user that an access token withholds: services, and changes in those of `readOnly`. `changes` is
 * whether there are such; alone, as an earlier version of the server sends it to others, it stands for all services.
 */
export type Withheld = Readonly<{
  services: readonly ServiceKey[];
  changes: boolean;
  readOnly?: readonly ServiceKey[];
}>;

/**
 * The app through which a user acts, identified by its access token: the id of its grant, and its name. Both are null
 * for a token issued before grants were stored.
 */
export type ActingApp = Readonly<{
  grantId: string | null;
  name: string | null;
  /** What its user chose to be asked before; null or absent when they did not choose. */
  ask?: AskChoice | null;
  /** The tools and tool groups that its user has switched off for it; null or absent for none. */
  switchedOff?: readonly string[] | null;
}>;

/**
 * A user who can sign in. `signedOutBefore` is Unix ms: sessions issued before it are invalid; null means that none
 * were revoked.
 */
export type User = Readonly<{
  id: number;
  email: string;
  permissions: readonly ServiceKey[];
  isAdmin: boolean;
  signedOutBefore: number | null;
  /**
   * When the user was deactivated, Unix ms: they cannot sign in, and their sessions are invalid. Null or absent while
   * active.
   */
  deactivatedAt?: number | null;
  /** When the user was invited, Unix ms, until they accept; null or absent since. */
  invitedAt?: number | null;
  /** The user's name; null or absent for none. */
  name?: string | null;
  /** When the user or one of their apps was last here, Unix ms, to about five minutes; null or absent for never. */
  seenAt?: number | null;
  /** The IANA time zone in which pages show times; null or absent means UTC. */
  timeZone?: string | null;
  /** The tools and tool groups that the user has switched off for apps (domain/users/rights.ts); absent means none. */
  switchedOff?: readonly string[];
  /** Set when the user acts through a limited access token: the permissions that it withholds. */
  withheld?: Withheld;
  /** Set when the user acts through an access token; absent in a browser. */
  app?: ActingApp;
  /** The id of the stored session of a person through which the user acts; absent without one. */
  signedInBy?: string;
}>;

/** The user id of the guest, who passes authentication but has no permissions (SESS-012). */
export const guestUserId = 0;

/** The guest: the user of an unauthenticated caller of `/set`. */
export const guest: User = { id: guestUserId, email: 'guest', permissions: [], isAdmin: false, signedOutBefore: null };
