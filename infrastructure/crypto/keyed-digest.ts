import { createHmac } from 'node:crypto';

/** Returns the HMAC-SHA256 of the parts as base64url; the boundaries between parts are part of the input. */
export function keyedDigest(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
