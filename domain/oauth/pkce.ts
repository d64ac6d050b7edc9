import { hash } from 'node:crypto';
import { equal } from '#domain/shared/equal.ts';

const challengeSyntax = /^[A-Za-z0-9_-]{43}$/;
const verifierSyntax = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Whether a text has the syntax of an S256 challenge: base64url of 32 bytes, without padding. */
export function isChallenge(text: string): boolean {
  return challengeSyntax.test(text);
}

/** Derives the S256 challenge of `verifier`: base64url, no padding, of its SHA-256 (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/**
 * Verifies a code verifier against the challenge in constant time. A null challenge skips PKCE (PKCE-003); a verifier
 * outside the syntax of RFC 7636 §4.1 always fails.
 */
export function isVerified(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null) return true;
  return verifier !== null && verifierSyntax.test(verifier) && equal(challengeOf(verifier), challenge);
}
