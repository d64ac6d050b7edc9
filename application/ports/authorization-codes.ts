import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';

/** Stores authorization codes until they are exchanged; bounded, evicts the oldest first. */
export interface AuthorizationCodes {
  /** Stores a code until it is consumed. */
  keep(code: AuthorizationCode): Promise<void>;
  /** Returns the code, expired or not; null when it is unknown, consumed or evicted. */
  find(code: string): Promise<AuthorizationCode | null>;
  /** Removes the code; true only for the one caller that removed it. */
  consume(code: string): Promise<boolean>;
}
