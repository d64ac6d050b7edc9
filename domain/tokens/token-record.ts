import type { ServiceKey } from '#domain/services/service-key.ts';

/** How a connection signs in at its service (contract, Outbound token record). */
export const authMethods = ['oauth', 'api_key', 'personal_token'] as const;

/** One of the three ways. */
export type AuthMethod = (typeof authMethods)[number];

/**
 * A user's credentials at one service, one record per user and service (contract, Outbound token record).
 * Tokens are plain here and encrypted at rest. `scope` is comma separated; `expiresAt` is Unix ms, null for tokens
 * that do not expire; `extra` is service metadata such as the vault's `base_url` and `verify_ssl`.
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
