import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** How long before its expiry a token is renewed at the latest, in ms: ten minutes. */
export const renewalMarginMs = 600_000;

/**
 * How long before its expiry a token is no longer used without renewal, in ms: half a minute, to allow for clock skew.
 */
const usableMarginMs = 30_000;

/**
 * Whether the background job should renew a token at `now` (Unix ms): `everyMs` after it was stored, and in any case
 * before it expires. A token without an expiry or a refresh token is not renewed. A null `everyMs` leaves renewal to
 * 401 answers (RENEW-001, RENEW-007).
 */
export function isRenewalDue(record: TokenRecord, everyMs: number | null, now: number): boolean {
  if (everyMs === null || record.authMethod !== 'oauth' || record.refreshToken === null || record.expiresAt === null)
    return false;
  return now >= record.updatedAt + everyMs || now >= record.expiresAt - renewalMarginMs;
}

/** Whether a token has expired or is within `usableMarginMs` of expiring, so that a request might fail. */
export function isOver(record: TokenRecord, now: number): boolean {
  return record.expiresAt !== null && now >= record.expiresAt - usableMarginMs;
}

/** Whether a token has expired, so that every request with it would fail. */
export function hasExpired(record: TokenRecord, now: number): boolean {
  return record.expiresAt !== null && now >= record.expiresAt;
}
