import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What a browser is sent to a provider with. `codeVerifier` is null where the provider has no PKCE. */
export type ProviderAuthorization = Readonly<{ url: string; codeVerifier: string | null }>;

/** What a provider sent the browser back with. */
export type ProviderCallback = Readonly<{
  userId: number;
  service: ServiceKey;
  query: Readonly<Record<string, string>>;
  redirectUri: string;
  codeVerifier: string | null;
  extra: Readonly<Record<string, unknown>>;
}>;

/** What a browser is sent to a provider for. */
export type AuthorizationOptions = Readonly<{
  state: string;
  redirectUri: string;
  extra: Readonly<Record<string, unknown>>;
  /** Whether webhooks will be registered with the tokens, which some providers want a scope for. */
  registersWebhooks?: boolean;
}>;

/** Why there are no tokens: `refused` for good, `unavailable` for now, `not_configured` until an administrator acts. */
export type GrantFailure = Readonly<{ reason: 'refused' | 'unavailable' | 'not_configured'; message: string }>;

/** The providers' authorization servers: where a browser is sent, and where tokens come from. */
export interface ProviderGrants {
  /** The address to send the browser to; `state` comes back with it. */
  begin(service: ServiceKey, options: AuthorizationOptions): Result<ProviderAuthorization, GrantFailure>;
  /** Exchanges the code of a callback for tokens. */
  exchange(callback: ProviderCallback): Promise<Result<TokenRecord, GrantFailure>>;
  /** Renews a record's tokens. The answer's refresh token replaces the old one, which stays when there is none. */
  renew(record: TokenRecord): Promise<Result<TokenRecord, GrantFailure>>;
  /** How often the background job renews a service's tokens, in ms; null when it does not. */
  renewEveryMs(service: ServiceKey): number | null;
}
