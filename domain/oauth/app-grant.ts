import type { ServiceKey } from '#domain/services/service-key.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';

/**
 * A grant as it is kept: which app may act for a user, with what access, and since when. Each access token names the grant
 * that it was issued for; without the grant the token is invalid. Times are Unix ms.
 */
export type AppGrant = Readonly<{
  id: string;
  userId: number;
  clientId: string;
  /** The name that the client gave itself at registration. */
  clientName: string;
  /** The services that were ticked; null for all, those permitted later included. */
  services: readonly ServiceKey[] | null;
  isReadonly: boolean;
  since: number;
  /** When a request last used it, to the minute; null when none did. */
  lastUsedAt: number | null;
}>;

/** The length of a grant's id in random bytes. */
export const grantIdBytes = 18;

/** How often the last use of a grant is stored at most, in ms. */
export const usePrecisionMs = 60_000;

/** The time (Unix ms) before which a grant must have been made for all of its tokens to be over at `now`. */
export function grantsOverBefore(now: number): number {
  return now - sessionLifetimeS * 1000;
}

/** Whether a token of the grant can still be valid at `now`: it is within its lifetime, and its user has not signed out since. */
export function isLive({ since }: AppGrant, { signedOutBefore }: Pick<User, 'signedOutBefore'>, now: number): boolean {
  return since >= grantsOverBefore(now) && (signedOutBefore === null || since >= signedOutBefore);
}
