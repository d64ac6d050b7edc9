import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';
import type { CodeUse } from '#domain/oauth/code-use.ts';

/** Stores authorization codes until they are exchanged, and how they were; both bounded, evicting the oldest first. */
export interface AuthorizationCodes {
  /** Stores a code until it is consumed. */
  keep(code: AuthorizationCode): Promise<void>;
  /** Returns the code, expired or not; null when it is unknown, consumed or evicted. */
  find(code: string): Promise<AuthorizationCode | null>;
  /** Removes the code and stores its use; true only for the one caller that removed it. */
  consume(code: string, use: CodeUse): Promise<boolean>;
  /** Removes a code that was not used. */
  remove(code: string): Promise<void>;
  /** Returns how a consumed code was used; null for any other, and once the use is evicted or pruned. */
  useOf(code: string): Promise<CodeUse | null>;
}
