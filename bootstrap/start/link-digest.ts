import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { keyedDigest } from '#infrastructure/crypto/keyed-digest.ts';

/** Returns the digest of password links, under a key of the current secret. */
export function linkDigest(secrets: readonly string[]): (parts: readonly string[]) => string {
  const key = deriveKey(secrets[0] ?? '', 'password links');
  return (parts) => keyedDigest(key, parts);
}
