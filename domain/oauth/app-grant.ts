import type { AskChoice } from '#domain/changes/ask-policy.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/**
 * A stored grant: the app that may act for a user, with what access, and since when. Every access token names the grant
 * that it was issued for, and is invalid without it. Times are Unix ms.
 */
export type AppGrant = Readonly<{
  id: string;
  userId: number;
  clientId: string;
  /** The client's name from its registration. */
  clientName: string;
  /** What the user granted, as a scope (domain/oauth/grant.ts): `fullScope` for everything, also what is permitted later. */
  scope: string;
  /** The tools and tool groups that its user has switched off for it (domain/users/rights.ts). */
  switchedOff: readonly string[];
  /** What its user chose to be asked before; null when they did not choose. */
  ask: AskChoice | null;
  since: number;
  /** When a request last used it, to the minute; null when none has. */
  lastUsedAt: number | null;
  /** When its tokens expire before their own lifetime ends; null or absent when they do not. */
  expiresAt?: number | null;
}>;

/** What a user can change about a stored grant. */
export type GrantChange = Partial<Pick<AppGrant, 'ask' | 'scope' | 'switchedOff'>>;

/** The client id of the grants behind personal tokens, which a user made for a script of theirs. */
export const personalClientId = 'personal-token';

/** Whether the grant is behind a personal token. */
export function isPersonal({ clientId }: Pick<AppGrant, 'clientId'>): boolean {
  return clientId === personalClientId;
}

/** Whether the grant's own time is over at `now`. */
export function grantHasEnded({ expiresAt = null }: Pick<AppGrant, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

/** The length of a grant's id in random bytes. */
export const grantIdBytes = 18;

/** The minimum interval between two stored updates of a grant's last use, in ms. */
export const usePrecisionMs = 60_000;

/**
 * Returns the time (Unix ms) before which a grant must have been made for all of its tokens to have expired at `now`.
 */
export function grantsExpiredBefore(now: number): number {
  return now - sessionLifetimeS * 1000;
}

/**
 * Whether a token of the grant can still be valid at `now`: within its lifetime, and issued after the user last signed
 * out everywhere.
 */
export function isLive(
  { since, expiresAt = null }: AppGrant,
  { signedOutBefore }: Pick<User, 'signedOutBefore'>,
  now: number,
): boolean {
  if (grantHasEnded({ expiresAt }, now)) return false;
  return since >= grantsExpiredBefore(now) && (signedOutBefore === null || since >= signedOutBefore);
}
