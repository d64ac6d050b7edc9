import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The address that sends a browser to a provider. `codeVerifier` is null where the provider has no PKCE. */
export type ProviderAuthorization = Readonly<{ url: string; codeVerifier: string | null }>;

/** The callback with which a provider sent the browser back. */
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
  state: string;
  redirectUri: string;
  extra: Readonly<Record<string, unknown>>;
  /** Whether webhooks will be registered with the tokens, for which some providers require a scope. */
  registersWebhooks?: boolean;
}>;

/**
 * The reason why a provider gave no tokens: `refused` permanently, `unavailable` for now, `not_configured` until an
 * administrator acts.
 */
export type GrantFailure = Readonly<{ reason: 'refused' | 'unavailable' | 'not_configured'; message: string }>;

/** Talks to the providers' authorization servers, which send browsers back and issue tokens. */
export interface ProviderGrants {
  /** Returns the address to send the browser to; `state` comes back with it. */
  begin(service: ServiceKey, options: AuthorizationOptions): Result<ProviderAuthorization, GrantFailure>;
  /** Exchanges the code of a callback for tokens. */
  exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>>;
  /** Renews a record's tokens. The answer's refresh token replaces the old one, which stays when there is none. */
  renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>>;
  /** Returns how often the background job renews a service's tokens, in ms; null when it does not. */
  renewEveryMs(service: ServiceKey): number | null;
}
