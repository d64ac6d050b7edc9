import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The OAuth client that this server is at a provider. */
export type OAuthApp = Readonly<{ clientId: string; clientSecret: string; scopes: string | null }>;

/** The input of an authorization request besides `state` and PKCE, which are the same everywhere. */
export type AuthorizationQuestion = Readonly<{
  app: OAuthApp;
  redirectUri: string;
  extra: Readonly<Record<string, unknown>>;
  /** Whether webhooks will be registered with the tokens. */
  registersWebhooks?: boolean;
}>;

/** The input of a code exchange. `callback` is the query of the provider's redirect. */
export type ExchangeQuestion = AuthorizationQuestion &
  Readonly<{ code: string; callback: Readonly<Record<string, string>> }>;

/**
 * The members of a token answer; null when missing. A missing refresh token keeps the old one. `expiresInS` in seconds.
 */
export type TokenAnswer = Readonly<{
  accessToken: string;
  refreshToken: string | null;
  scope: string | null;
  expiresInS: number | null;
  /** Service metadata of the answer, laid over what is kept in `extra`. */
  extra: Readonly<Record<string, unknown>>;
}>;

/**
 * How one provider does OAuth in one dialect, as facts: the request's parameters, and the form fields of the exchange
 * and the refresh (CONN-004, RENEW-001).
 */
export type OAuthFacts = Readonly<{
  /** Where the browser is sent, without a query; null when no address is set. */
  authorizeUrl(extra: Readonly<Record<string, unknown>>): string | null;
  /** Where tokens come from; depends on the data centre for some. `callback` is given at the exchange only. */
  tokenUrl(extra: Readonly<Record<string, unknown>>, callback?: Readonly<Record<string, string>>): string | null;
  /**
   * What a new connection keeps in `extra`, from what its user chose and the token answer gave: made whole by the callback and by
   * what holds where nothing was chosen. Without this, as it is.
   */
  keptExtra?(
    extra: Readonly<Record<string, unknown>>,
    callback: Readonly<Record<string, string>>,
  ): Readonly<Record<string, unknown>>;
  authorizationParameters(question: AuthorizationQuestion): Readonly<Record<string, string>>;
  exchangeFields(question: ExchangeQuestion): Readonly<Record<string, string>>;
  refreshFields(app: OAuthApp, refreshToken: string): Readonly<Record<string, string>>;
  /** `body`: the fields carry the client's id and secret; `basic`: the header does. */
  clientAuthentication: 'body' | 'basic';
  /** Whether PKCE (S256) goes with the request. */
  hasPkce: boolean;
  /** The tokens in a token answer, or null when it has none: some answer errors with HTTP 200. */
  readTokens(body: unknown, before: TokenRecord | null): TokenAnswer | null;
  /**
   * Whether a failed renewal of `before` means that the grant is gone for good (as `invalid_grant` does), and not a passing error.
   * Null: it was an exchange.
   */
  isRefused(status: number, body: unknown, before?: TokenRecord | null): boolean;
  /** How long before expiry the background job renews, in ms; null when only a 401 does (signing). */
  renewEveryMs: number | null;
  /** A first grant without refresh token is refused when true (suite CRM). */
  needsRefreshToken: boolean;
}>;
