import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * The methods by which a connection authenticates at its service (SALES-001, SIGN-001, SUITE-001, TRACK-001,
 * VAULT-001).
 */
export const authMethods = ['oauth', 'api_key', 'personal_token'] as const;

/** One of the three methods. */
export type AuthMethod = (typeof authMethods)[number];

/**
 * A user's credentials at one service, one record per user and service (CONN-001, CONN-013). Tokens are in plain text
 * here and encrypted at rest. `scope` is comma-separated; `expiresAt` is Unix ms, null for tokens that do not expire;
 * `extra` is service metadata such as the vault's `base_url` and `verify_ssl`. When the tokens cannot be decrypted
 * because the keys have changed, `accessToken` is empty and `refreshToken` is null.
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

/**
 * Whether the record is the team's vault, which this server provides to all users, and not a connection of the user's
 * own.
 */
export function isTeams({ extra }: Pick<TokenRecord, 'extra'>): boolean {
  return extra['embedded'] === true;
}

/** Whether nobody made the connection: everybody who may use the service has it, and it cannot be removed. */
export function isShared(record: Pick<TokenRecord, 'extra'>): boolean {
  return isTeams(record) || record.extra['open'] === true;
}

/** Whether the record's tokens could be decrypted; if not, the user has to connect again. */
export function isReadable({ accessToken }: Pick<TokenRecord, 'accessToken'>): boolean {
  return accessToken !== '';
}

/** The name of the connection's vendor where its service has several; null when it names none. */
export function vendorNameOf({ extra }: Pick<TokenRecord, 'extra'>): string | null {
  return typeof extra['vendor'] === 'string' ? extra['vendor'] : null;
}
