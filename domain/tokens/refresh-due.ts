import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The latest time before its expiry at which a token is renewed, in ms: ten minutes. */
export const renewalMarginMs = 600_000;

/**
 * The time before its expiry from which a token is used only after renewal, in ms: half a minute, for clocks that
 * differ.
 */
export const usableMarginMs = 30_000;

/**
 * Whether the background job should renew a token at `now` (Unix ms): every `everyMs` after it was made, and before it
 * expires in any case. Expiry decides, not the presence of a refresh token; a token without one cannot be renewed.
 * `everyMs` null: only a 401 renews (RENEW-001, RENEW-007).
 */
export function isRenewalDue(record: TokenRecord, everyMs: number | null, now: number): boolean {
  if (everyMs === null || record.authMethod !== 'oauth' || record.refreshToken === null || record.expiresAt === null)
    return false;
  return now >= record.updatedAt + everyMs || now >= record.expiresAt - renewalMarginMs;
}

/** Whether a token has expired, or so nearly that a request with it would fail. */
export function isOver(record: TokenRecord, now: number): boolean {
  return record.expiresAt !== null && now >= record.expiresAt - usableMarginMs;
}

/** Whether a token has expired, so that every request with it would fail. */
export function hasExpired(record: TokenRecord, now: number): boolean {
  return record.expiresAt !== null && now >= record.expiresAt;
}
