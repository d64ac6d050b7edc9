import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two strings in constant time; lengths may differ. */
export function equal(left: string, right: string): boolean {
  return equalTo(left)(right);
}

/** Returns a constant-time comparison with a known string, which is hashed only once. */
export function equalTo(known: string): (text: string) => boolean {
  const digest = hash('sha256', known, 'buffer');
  return (text) => timingSafeEqual(digest, hash('sha256', text, 'buffer'));
}
