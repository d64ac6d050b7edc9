import { type OAuthApp, type OAuthFacts, readTokens, standardOAuth } from '#adapters/services/oauth-facts.ts';

/** The provider's own OAuth endpoints, when none are configured. */
const pandadocAddresses = {
  authorizeUrl: 'https://app.pandadoc.com/oauth2/authorize',
  tokenUrl: 'https://api.pandadoc.com/oauth2/access_token',
} as const;

/** The configured endpoints. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

/** The OAuth facts of the signing service; the fields are the same in both dialects (CONN-004). */
export function signingOAuth(name: 'neutral' | 'pandadoc', set: OAuthAddresses): OAuthFacts {
  const standard = name === 'pandadoc' ? pandadocAddresses : { authorizeUrl: null, tokenUrl: null };
  return standardOAuth({
    authorizeUrl: () => set.authorizeUrl ?? standard.authorizeUrl,
    tokenUrl: () => set.tokenUrl ?? standard.tokenUrl,
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
