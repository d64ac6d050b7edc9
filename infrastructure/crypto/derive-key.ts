import { hkdfSync } from 'node:crypto';

/** Derives a 32-byte key for one purpose from a secret with HKDF-SHA256 (RFC 5869); the purpose is the salt. */
export function deriveKey(secret: string, salt: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, '', 32));
}
