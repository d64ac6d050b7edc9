import { createHmac } from 'node:crypto';

/** Base64url of the HMAC-SHA256 of the parts; their boundaries count, so that a different split gives another digest. */
export function keyedDigest(key: Uint8Array, parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
