import type { ServiceKey } from '#domain/services/service-key.ts';

/** How a connection signs in at its service (SALES-001, SIGN-001, SUITE-001, TRACK-001, VAULT-001). */
export const authMethods = ['oauth', 'api_key', 'personal_token'] as const;

/** One of the three ways. */
export type AuthMethod = (typeof authMethods)[number];

/**
 * A user's credentials at one service, one record per user and service (CONN-001, CONN-013).
 * Tokens are plain here and encrypted at rest. `scope` is comma separated; `expiresAt` is Unix ms, null for tokens
 * that do not expire; `extra` is service metadata such as the vault's `base_url` and `verify_ssl`. Of a record whose tokens
 * cannot be opened, because the keys are others now, `accessToken` is empty and `refreshToken` is null.
 */
export type TokenRecord = Readonly<{
  userId: number;
  service: ServiceKey;
  authMethod: AuthMethod;
  accessToken: string;
  refreshToken: string | null;
  scope: string | null;
  expiresAt: number | null;
  extra: Readonly<Record<string, unknown>>;
  updatedAt: number;
}>;

/** Whether the record leads to the team's vault, which this server keeps for everybody, and not to a service of the user's own. */
export function isTeams({ extra }: Pick<TokenRecord, 'extra'>): boolean {
  return extra['embedded'] === true;
}

/** Whether the record's tokens could be opened; where not, only its user can mend it, by connecting anew. */
export function isReadable({ accessToken }: Pick<TokenRecord, 'accessToken'>): boolean {
  return accessToken !== '';
}
