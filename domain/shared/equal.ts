import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time; lengths may differ. */
export function equal(left: string, right: string): boolean {
  return equalTo(left)(right);
}

/** The same comparison with one text that is known beforehand, which is digested once. */
export function equalTo(known: string): (text: string) => boolean {
  const digest = hash('sha256', known, 'buffer');
  return (text) => timingSafeEqual(digest, hash('sha256', text, 'buffer'));
}
