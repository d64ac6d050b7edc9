import type { AuthorizationCode } from '#domain/oauth/authorization-code.ts';

/** The codes that can still be exchanged: held in memory only, bounded; the oldest goes first. */
export interface AuthorizationCodes {
  /** Keeps a code until it is consumed. */
  keep(code: AuthorizationCode): Promise<void>;
  /** The code, expired or not; null when it was never issued, is used, or was removed. */
  find(code: string): Promise<AuthorizationCode | null>;
  /** Removes the code; true only for the one caller that removed it. */
  consume(code: string): Promise<boolean>;
}
