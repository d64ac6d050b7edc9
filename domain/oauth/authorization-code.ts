import type { AskChoice } from '#domain/changes/ask-policy.ts';
import { hasSecret, idBytes, type KnownClient } from '#domain/oauth/client.ts';
import { isVerified } from '#domain/oauth/pkce.ts';
import { equal } from '#domain/shared/equal.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The lifetime of a code, in seconds (CODE-005). */
export const codeLifetimeS = 600;

/** A single-use authorization code (CODE-002, CODE-003). `expiresAt` is Unix ms; a null challenge means no PKCE. */
export type AuthorizationCode = Readonly<{
  code: string;
  clientId: string;
  userId: number;
  redirectUri: string;
  codeChallenge: string | null;
  expiresAt: number;
  /** The grant as a scope (domain/oauth/grant.ts); absent for full access. */
  scope?: string;
  /** What the user chose to be asked before; absent when they did not choose. */
  ask?: AskChoice;
}>;

/** The parameters with which a client exchanges a code; null means not given. */
export type CodeExchange = Readonly<{
  clientId: string;
  clientSecret: string | null;
  redirectUri: string | null;
  codeVerifier: string | null;
}>;

/** Why an exchange failed: the `reason` of the answer (TOKEN-003 to TOKEN-006). */
export type ExchangeReason =
  | 'invalid_code'
  | 'expired_code'
  | 'invalid_client'
  | 'invalid_redirect_uri'
  | 'invalid_code_verifier';

/** Issues a code for a user who consented. `random` returns base64url of that many bytes; `now` is Unix ms. */
export function issueCode(
  consented: Omit<AuthorizationCode, 'code' | 'expiresAt'>,
  { random, now }: Readonly<{ random: (bytes: number) => string; now: number }>,
): AuthorizationCode {
  return { ...consented, code: `code_${random(idBytes)}`, expiresAt: now + codeLifetimeS * 1000 };
}

/** Whether the code is more than 600 seconds old at `now` (Unix ms). */
function isExpired(code: AuthorizationCode, now: number): boolean {
  return now > code.expiresAt;
}

/**
 * Checks that the code may be exchanged: age, client, redirect URI and verifier, in this order. `client` is the client
 * that the exchange names, null when unknown. A secret is verified when given; `isStrict` also requires the secret of a
 * client that has one, and PKCE.
 */
export function checkExchange(
  code: AuthorizationCode,
  exchange: CodeExchange,
  { client, now, isStrict }: Readonly<{ client: Pick<KnownClient, 'secret'> | null; now: number; isStrict: boolean }>,
): Result<null, { reason: ExchangeReason }> {
  if (isExpired(code, now)) return err({ reason: 'expired_code' });
  if (client === null || !equal(code.clientId, exchange.clientId)) return err({ reason: 'invalid_client' });
  if (!isAuthentic(client, exchange.clientSecret, isStrict)) return err({ reason: 'invalid_client' });
  if (exchange.redirectUri === null || !equal(code.redirectUri, exchange.redirectUri)) {
    return err({ reason: 'invalid_redirect_uri' });
  }
  if (isStrict && code.codeChallenge === null) return err({ reason: 'invalid_code_verifier' });
  if (!isVerified(code.codeChallenge, exchange.codeVerifier)) return err({ reason: 'invalid_code_verifier' });
  return ok(null);
}

function isAuthentic(client: Pick<KnownClient, 'secret'>, secret: string | null, isStrict: boolean): boolean {
  return secret === null ? !isStrict || client.secret === null : hasSecret(client, secret);
}
