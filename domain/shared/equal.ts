import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time; lengths may differ. */
export function equal(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
