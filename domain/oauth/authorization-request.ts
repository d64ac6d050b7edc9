import type { KnownClient } from '#domain/oauth/client.ts';
import type { DocumentError } from '#domain/oauth/client-document.ts';
import { isChallenge } from '#domain/oauth/pkce.ts';
import { isRegisteredRedirectUri } from '#domain/oauth/redirect-uri.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The parameters that `/authorize` reads; others are ignored. */
export const authorizationParameters = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_type',
  'prompt',
] as const;

/** The raw parameters: every value of each name, in order. An empty value counts as omitted (RFC 6749 §3.1). */
export type RawAuthorization = Readonly<
  Record<(typeof authorizationParameters)[number] | 'resource' | 'scope', readonly string[]>
>;

/** A validated request that needs the user's consent. Null means not given. */
export type AuthorizationRequest = Readonly<{
  client: KnownClient;
  redirectUri: string;
  state: string | null;
  codeChallenge: string | null;
  /** Whether the client asks for the login page even if the user is signed in (OpenID Connect, `prompt=login`). */
  wantsLogin: boolean;
  /** The requested scope; null when none was requested, or when scopes are ignored. */
  scope: string | null;
}>;

/** An error shown as a page: without a trusted redirect URI it must not be sent to the client by redirect. */
export type PageError = Readonly<
  { show: 'page' } & ({ reason: 'invalid_request' | 'unknown_client' | 'invalid_redirect_uri' } | DocumentError)
>;

/** An error sent to the client's redirect URI, with the codes of RFC 6749 §4.1.2.1 and RFC 8707 §2. */
export type RedirectError = Readonly<{
  show: 'redirect';
  redirectUri: string;
  state: string | null;
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_target';
  description: string;
}>;

/**
 * The server's rules: `isStrict` requires PKCE and a `response_type` of every client, `isOwnResource` checks that a resource indicator
 * belongs to this server, and `readsScope` says whether clients may request a scope; otherwise it is ignored
 * (AUTH-023).
 */
export type AuthorizationRules = Readonly<{
  isStrict: boolean;
  isOwnResource: (resource: string) => boolean;
  readsScope: boolean;
}>;

// `state` has to fit into a Location header that the client's server accepts (AUTH-025).
const maxStateLength = 4_096;
const maxScopeLength = 1_024;

/** Returns the only value of a parameter, null when it was omitted, or an error when it was repeated. */
export function singleValue(values: readonly string[]): Result<string | null, { reason: 'repeated' }> {
  const given = values.filter((value) => value !== '');
  return given.length > 1 ? err({ reason: 'repeated' }) : ok(given[0] ?? null);
}

/** Validates the client and the redirect URI. All errors are shown as pages. */
export function checkRedirect(raw: RawAuthorization, client: KnownClient | null): Result<string, PageError> {
  if (client === null) return err({ show: 'page', reason: 'unknown_client' });
  const redirectUri = singleValue(raw.redirect_uri);
  if (!redirectUri.ok || redirectUri.value === null) return err({ show: 'page', reason: 'invalid_redirect_uri' });
  if (!isRegisteredRedirectUri(client.redirectUris, redirectUri.value)) {
    return err({ show: 'page', reason: 'invalid_redirect_uri' });
  }
  return ok(redirectUri.value);
}

/**
 * Validates a request whose client and redirect URI are trusted. A missing `response_type` means `code` unless the
 * server is strict; a challenge without a method is taken as S256, never as `plain` (AUTH-012, AUTH-013, AUTH-031). A
 * client without a secret needs a challenge.
 */
export function readAuthorizationRequest(
  raw: RawAuthorization,
  { client, redirectUri, rules }: Readonly<{ client: KnownClient; redirectUri: string; rules: AuthorizationRules }>,
): Result<AuthorizationRequest, RedirectError> {
  const state = singleValue(raw.state);
  const isStateUsable = state.ok && (state.value ?? '').length <= maxStateLength;
  const error = (error: RedirectError['error'], description: string) =>
    err({ show: 'redirect' as const, redirectUri, state: isStateUsable ? state.value : null, error, description });
  if (!isStateUsable)
    return error('invalid_request', `state must come once, with at most ${maxStateLength} characters`);
  const type = singleValue(raw.response_type);
  const challenge = singleValue(raw.code_challenge);
  const method = singleValue(raw.code_challenge_method);
  const prompt = singleValue(raw.prompt);
  const scope = singleValue(rules.readsScope ? raw.scope : []);
  if (!type.ok || !challenge.ok || !method.ok || !prompt.ok || !scope.ok) {
    return error('invalid_request', 'a parameter came more than once');
  }
  if (type.value !== null && type.value !== 'code') {
    return error('unsupported_response_type', 'response_type must be code');
  }
  if (type.value === null && rules.isStrict) return error('invalid_request', 'response_type is missing');
  const pkce = pkceError(challenge.value, method.value, rules.isStrict || client.secret === null);
  if (pkce !== null) return error('invalid_request', pkce);
  if (!raw.resource.filter((value) => value !== '').every(rules.isOwnResource)) {
    return error('invalid_target', 'resource is not a resource of this server');
  }
  if ((scope.value ?? '').length > maxScopeLength) {
    return error('invalid_request', `scope may have ${maxScopeLength} characters at most`);
  }
  const wantsLogin = prompt.value === 'login';
  const codeChallenge = challenge.value;
  return ok({ client, redirectUri, state: state.value, codeChallenge, wantsLogin, scope: scope.value });
}

function pkceError(challenge: string | null, method: string | null, isStrict: boolean): string | null {
  if (method !== null && method !== 'S256') return 'code_challenge_method must be S256';
  if (challenge === null && method !== null) return 'code_challenge is missing';
  if (challenge === null) return isStrict ? 'code_challenge is required' : null;
  return isChallenge(challenge) ? null : 'code_challenge must be 43 characters of base64url';
}
