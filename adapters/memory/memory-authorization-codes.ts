import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Authorization codes in memory; the oldest is evicted when full. */
export class MemoryAuthorizationCodes implements AuthorizationCodes {
  readonly #codes = new Map<string, AuthorizationCode>();
  readonly #max: number;

  /** `max` bounds the number of codes (CODE-008). */
  constructor(max = 10_000) {
    this.#max = max;
  }

  async keep(code: AuthorizationCode): Promise<void> {
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= this.#max && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(code.code, frozenCopy(code));
  }

  async find(code: string): Promise<AuthorizationCode | null> {
    return this.#codes.get(code) ?? null;
  }

  async consume(code: string): Promise<boolean> {
    return this.#codes.delete(code);
  }
}
