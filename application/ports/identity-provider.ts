import type { Result } from '#domain/shared/result.ts';
import type { ProviderPerson } from '#domain/sign-in/provider-person.ts';

/**
 * Why the provider signed nobody in: it cannot be reached, the person or the provider stopped it, or its answer cannot
 * be trusted. `message` is for the log.
 */
export type ProviderFailure = Readonly<{
  reason: 'provider_unavailable' | 'provider_denied' | 'invalid_answer';
  message: string;
}>;

/** The secrets of one sign-in, which its answer is checked against. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

/** The identity provider of this server, at which people sign in (OpenID Connect Core, authorization code flow). */
export interface IdentityProvider {
  /** The host of its issuer, for pages. */
  readonly host: string;
  /** Returns the URL at which a browser signs in. `asksWho` has the person choose or enter their account. */
  begin(secrets: SignInSecrets, options: Readonly<{ asksWho: boolean }>): Promise<Result<string, ProviderFailure>>;
  /** Returns who signed in, from the query with which the browser came back. */
  finish(secrets: SignInSecrets, query: URLSearchParams): Promise<Result<ProviderPerson, ProviderFailure>>;
}
