import { z } from 'zod';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** This server's OAuth client at a provider. */
export type OAuthApp = Readonly<{ clientId: string; clientSecret: string; scopes: string | null }>;

/** The input of an authorization request, besides `state` and PKCE, which are the same for all providers. */
export type AuthorizationInput = Readonly<{
  app: OAuthApp;
  redirectUri: string;
  extra: Readonly<Record<string, unknown>>;
  /** Whether webhooks will be registered with the tokens. */
  registersWebhooks?: boolean;
}>;

/** The input of a code exchange. `callback` is the query of the provider's redirect. */
export type ExchangeInput = AuthorizationInput & Readonly<{ code: string; callback: Readonly<Record<string, string>> }>;

/**
 * The members of a token response; null when missing. Without a new refresh token the old one is kept. `expiresInS` in
 * seconds.
 */
export type TokenAnswer = Readonly<{
  accessToken: string;
  refreshToken: string | null;
  scope: string | null;
  expiresInS: number | null;
  /** Service metadata from the response, merged into `extra`. */
  extra: Readonly<Record<string, unknown>>;
}>;

/**
 * The OAuth facts of one provider in one dialect: the request's parameters, and the form fields of the code exchange
 * and the refresh (CONN-004, RENEW-001).
 */
export type OAuthFacts = Readonly<{
  /** The authorization endpoint, without a query; null when none is configured. */
  authorizeUrl(extra: Readonly<Record<string, unknown>>): string | null;
  /**
   * The token endpoint; for some providers it depends on the data centre. `callback` is given only for the code
   * exchange.
   */
  tokenUrl(extra: Readonly<Record<string, unknown>>, callback?: Readonly<Record<string, string>>): string | null;
  /**
   * What a new connection stores in `extra`: the user's choices and the token response, completed by the callback and
   * by defaults. Without this function, they are stored as they are.
   */
  keptExtra?(
    extra: Readonly<Record<string, unknown>>,
    callback: Readonly<Record<string, string>>,
  ): Readonly<Record<string, unknown>>;
  authorizationParameters(input: AuthorizationInput): Readonly<Record<string, string>>;
  exchangeFields(input: ExchangeInput): Readonly<Record<string, string>>;
  refreshFields(app: OAuthApp, refreshToken: string): Readonly<Record<string, string>>;
  /** Where the client's id and secret are sent: in the fields, or in the header. */
  clientAuthentication: 'body' | 'basic';
  /** Whether to use PKCE (S256). */
  hasPkce: boolean;
  /** Parses a token response; null when it contains no tokens, since some providers return errors with HTTP 200. */
  readTokens(body: unknown, before: TokenRecord | null): TokenAnswer | null;
  /**
   * Whether a failed renewal of `before` means that the grant is permanently lost (like `invalid_grant`), rather than a
   * transient error. Null for `before`: it was a code exchange.
   */
  isRefused(status: number, body: unknown, before?: TokenRecord | null): boolean;
  /** The wait that an error without `Retry-After` implies, in ms; null for none. */
  impliedWaitMs?(body: unknown): number | null;
  /**
   * The request that revokes a connection's tokens at the provider, with the client's credentials added; absent where
   * the provider has none.
   */
  revocation?(
    tokenUrl: string,
    tokens: Pick<TokenRecord, 'accessToken' | 'refreshToken'>,
  ): Readonly<{ method: 'POST' | 'DELETE'; url: string; fields: Readonly<Record<string, string>> }>;
  /** How often the background job renews tokens, in ms; null when only a 401 triggers renewal (signing). */
  renewEveryMs: number | null;
  /**
   * Whether the provider reports that somebody removed the app from their account: by a DELETE to the redirect address,
   * with the app's id and secret (HTTP Basic).
   */
  reportsRemoval?: boolean;
  /** Whether an initial grant without a refresh token is rejected (suite CRM). */
  needsRefreshToken: boolean;
}>;

/** What each provider does in its own way, and whatever else it does differently from the standard. */
type OwnFacts = Pick<OAuthFacts, 'authorizeUrl' | 'tokenUrl' | 'authorizationParameters'> & Partial<OAuthFacts>;

/** The facts of the authorization code grant (RFC 6749 §4.1), completed by a provider's own. */
export function standardOAuth({ clientAuthentication = 'body', ...own }: OwnFacts): OAuthFacts {
  const client = ({ clientId, clientSecret }: OAuthApp): Readonly<Record<string, string>> =>
    clientAuthentication === 'basic'
      ? {}
      : { client_id: clientId, ...(clientSecret === '' ? {} : { client_secret: clientSecret }) };
  return {
    exchangeFields: ({ app, code, redirectUri }) => ({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...client(app),
    }),
    refreshFields: (app, refreshToken) => ({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...client(app),
    }),
    clientAuthentication,
    hasPkce: false,
    readTokens,
    isRefused: (status, body) =>
      status < 500 && status !== 429 && rejection.safeParse(body).data?.error === 'invalid_grant',
    renewEveryMs: null,
    needsRefreshToken: false,
    ...own,
  };
}

const rejection = z.object({ error: z.string() });

const tokenBody = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish().catch(null),
  scope: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  expires_in: z.coerce.number().positive().nullish().catch(null),
});

/** Parses a token response (RFC 6749 §5.1); the scopes are stored comma-separated, whatever their format. */
export function readTokens(body: unknown): TokenAnswer | null {
  const { data } = tokenBody.safeParse(body);
  if (data === undefined) return null;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    scope: data.scope == null ? null : scopeList(data.scope).join(','),
    expiresInS: data.expires_in ?? null,
    extra: {},
  };
}

/** The scopes in a text, or in several, whatever separates them. */
export function scopeList(scopes: string | readonly string[]): readonly string[] {
  return [scopes].flat().flatMap((some) => some.split(/[\s,]+/).filter((scope) => scope !== ''));
}
