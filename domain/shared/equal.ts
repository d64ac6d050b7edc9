import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal, in a time that tells nothing of where they differ; lengths may differ. */
export function equal(left: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'));
}
