import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Awaitable, Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * The authorization URL for the browser. `codeVerifier` is null when the provider does not support PKCE; `extra` is kept
 * with what the user chose until the callback.
 */
export type ProviderAuthorization = Readonly<{
  url: string;
  codeVerifier: string | null;
  extra?: Readonly<Record<string, unknown>>;
}>;

/** A callback from a provider's authorization server. */
export type ProviderCallback = Readonly<{
  userId: number;
  service: ServiceKey;
  query: Readonly<Record<string, string>>;
  redirectUri: string;
  codeVerifier: string | null;
  extra: Readonly<Record<string, unknown>>;
}>;

/** The options of an authorization request. */
export type AuthorizationOptions = Readonly<{
  userId: number;
  state: string;
  redirectUri: string;
  extra: Readonly<Record<string, unknown>>;
  /** Whether the tokens will also register webhooks, for which some providers require a scope. */
  registersWebhooks?: boolean;
}>;

/**
 * Why a provider returned no tokens: `refused` permanently, `unavailable` temporarily, `not_configured` until an
 * administrator acts. `retryAfterMs` is the wait that the provider asks for, if any.
 */
export type GrantFailure = Readonly<{
  reason: 'refused' | 'unavailable' | 'not_configured';
  message: string;
  retryAfterMs?: number;
}>;

/** The id and secret of this server's app at a provider, as somebody sent them. */
export type AppCredentials = Readonly<{ clientId: string; clientSecret: string }>;

/** Talks to the providers' authorization servers, which redirect browsers back and issue tokens. */
export interface ProviderGrants {
  /** Returns the URL to redirect the browser to; `state` is returned in the callback. */
  begin(service: ServiceKey, options: AuthorizationOptions): Awaitable<Result<ProviderAuthorization, GrantFailure>>;
  /** Exchanges the code of a callback for tokens. */
  exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>>;
  /** Renews a record's tokens. When the answer has no refresh token, the old one is kept. */
  renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>>;
  /**
   * Revokes a record's tokens at the provider; false where it has no way to, has other credentials, or failed. Never
   * throws, and returns within ten seconds.
   */
  revoke(record: TokenRecord): Promise<boolean>;
  /** Returns how often the background job renews a service's tokens, in ms; null when it does not. */
  renewEveryMs(record: Pick<TokenRecord, 'service' | 'extra'>): number | null;
  /** Returns how often the tokens of any provider are renewed at the most, for each service that has such tokens. */
  renewedServices(): readonly Readonly<{ service: ServiceKey; everyMs: number }>[];
  /**
   * Whether these are the credentials with which a provider of the service reports that the app was removed from an
   * account; false where providers do not report it.
   */
  isReporter(service: ServiceKey, credentials: AppCredentials): boolean;
}
