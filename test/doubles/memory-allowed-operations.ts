import type { AllowedAlways, AllowedOperations } from '#application/ports/approval-policy.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** What users always allow, in the memory of this process. */
export class MemoryAllowedOperations implements AllowedOperations {
  readonly #allowed = new Map<string, AllowedAlways>();

  async keep(allowed: AllowedAlways): Promise<void> {
    const key = keyOf(allowed);
    if (!this.#allowed.has(key)) this.#allowed.set(key, frozenCopy(allowed));
  }

  async list(userId: number): Promise<readonly AllowedAlways[]> {
    return [...this.#allowed]
      .filter(([, one]) => one.userId === userId)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, one]) => one);
  }

  async remove(allowed: Omit<AllowedAlways, 'at'>): Promise<boolean> {
    return this.#allowed.delete(keyOf(allowed));
  }

  async removeOf(userId: number, grantId: string | null): Promise<void> {
    for (const [key, one] of this.#allowed) {
      if (one.userId === userId && (grantId === null || one.grantId === grantId)) this.#allowed.delete(key);
    }
  }
}

/** The key by which what a user allows is unique, and listed. */
function keyOf({ userId, grantId, service, operation }: Omit<AllowedAlways, 'at'>): string {
  return [userId, grantId, service, operation].join('\u0000');
}
