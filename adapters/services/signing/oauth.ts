import { z } from 'zod';
import type { OAuthApp, OAuthFacts, TokenAnswer } from '#adapters/services/oauth-facts.ts';

const tokenBody = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  scope: z.string().nullish(),
  expires_in: z.number().positive().nullish(),
});

const errorBody = z.object({ error: z.string() });

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
  return {
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
    refreshFields: (app, refreshToken) => ({
      grant_type: 'refresh_token',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      refresh_token: refreshToken,
    }),
    clientAuthentication: 'body',
    hasPkce: false,
    readTokens,
    isRefused,
    renewEveryMs: null,
    needsRefreshToken: false,
  };
}

/** The unencoded scope: space-separated, which queries and forms encode as the `+` of `read+write`. */
function scopeOf(app: OAuthApp): string {
  return (app.scopes ?? 'read write').split(/[\s,+]+/).join(' ');
}

function readTokens(body: unknown): TokenAnswer | null {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return null;
  const { access_token, refresh_token, scope, expires_in } = parsed.data;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    scope: scope == null ? null : scope.split(/[\s,+]+/).join(','),
    expiresInS: expires_in ?? null,
    extra: {},
  };
}

function isRefused(status: number, body: unknown): boolean {
  const parsed = errorBody.safeParse(body);
  return (status === 400 || status === 401) && parsed.success && parsed.data.error === 'invalid_grant';
}
