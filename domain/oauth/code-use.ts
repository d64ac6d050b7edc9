import { hash } from 'node:crypto';
import type { CodeExchange } from '#domain/oauth/authorization-code.ts';
import { equal } from '#domain/shared/equal.ts';

/** How a code was exchanged: the grant that its token names, when (Unix ms), and a digest of what the client sent. */
export type CodeUse = Readonly<{ userId: number; grantId: string; usedAt: number; exchange: string }>;

/** How long the same exchange may be repeated without consequences, in ms (CODE-012). */
const repeatWindowMs = 10_000;

/** Returns a digest of the client, redirect URI and verifier of an exchange. */
export function exchangeDigest({ clientId, redirectUri, codeVerifier }: CodeExchange): string {
  return hash('sha256', JSON.stringify([clientId, redirectUri, codeVerifier]), 'base64url');
}

/**
 * Whether an exchange of a used code repeats the one that used it: the same client sent the same a moment ago, because
 * it lost the answer or asked twice at once. Anything else may be a stolen code (RFC 6749 §4.1.2).
 */
export function isRepeated({ usedAt, exchange }: CodeUse, again: CodeExchange, now: number): boolean {
  return now - usedAt < repeatWindowMs && equal(exchange, exchangeDigest(again));
}
