import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';

/** Stores the codes that can still be exchanged: bounded; the oldest is dropped first. */
export interface AuthorizationCodes {
  /** Stores a code until it is consumed. */
  keep(code: AuthorizationCode): Promise<void>;
  /** Returns the code, expired or not; null when it was never issued, is used, or was removed. */
  find(code: string): Promise<AuthorizationCode | null>;
  /** Removes the code; true only for the one caller that removed it. */
  consume(code: string): Promise<boolean>;
}
