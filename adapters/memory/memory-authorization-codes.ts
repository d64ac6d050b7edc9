import type { AuthorizationCodes } from '#application/ports/authorization-codes.ts';
import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import type { CodeUse } from '#domain/oauth/code-use.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** Authorization codes and their uses in memory; the oldest are evicted when full. */
export class MemoryAuthorizationCodes implements AuthorizationCodes {
  readonly #codes = new Map<string, AuthorizationCode>();
  readonly #uses = new Map<string, CodeUse>();
  readonly #max: number;

  /** `max` bounds the number of codes, and of uses (CODE-008). */
  constructor(max = 10_000) {
    this.#max = max;
  }

  async keep(code: AuthorizationCode): Promise<void> {
    this.#put(this.#codes, code.code, frozenCopy(code));
  }

  async find(code: string): Promise<AuthorizationCode | null> {
    return this.#codes.get(code) ?? null;
  }

  async consume(code: string, use: CodeUse): Promise<boolean> {
    if (!this.#codes.delete(code)) return false;
    this.#put(this.#uses, code, frozenCopy(use));
    return true;
  }

  async remove(code: string): Promise<void> {
    this.#codes.delete(code);
  }

  async useOf(code: string): Promise<CodeUse | null> {
    return this.#uses.get(code) ?? null;
  }

  #put<Value>(into: Map<string, Value>, code: string, value: Value): void {
    const [oldest] = into.keys();
    if (into.size >= this.#max && oldest !== undefined) into.delete(oldest);
    into.set(code, value);
  }
}
