import {
  type OAuthApp,
  type OAuthFacts,
  readTokens,
  standardOAuth,
} from '#adapters/services/credentials/oauth-facts.ts';

/** The endpoints; null for none. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

/** The OAuth facts of a signing service (CONN-004). */
export function signingOAuth({ authorizeUrl, tokenUrl }: OAuthAddresses): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => authorizeUrl,
    tokenUrl: () => tokenUrl,
    authorizationParameters: ({ app, redirectUri }) => ({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopeOf(app),
      response_type: 'code',
    }),
    exchangeFields: ({ app, code }) => ({
      grant_type: 'authorization_code',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      scope: scopeOf(app),
    }),
    readTokens: (body) => {
      const tokens = readTokens(body);
      return tokens === null ? null : { ...tokens, scope: tokens.scope?.replaceAll('+', ',') ?? null };
    },
  });
}

/** The unencoded scope: space-separated, which queries and forms encode as the `+` of `read+write`. */
function scopeOf(app: OAuthApp): string {
  return (app.scopes ?? 'read write').split(/[\s,+]+/).join(' ');
}
