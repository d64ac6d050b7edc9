import { z } from 'zod';
import type { OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';
import type { OAuthApp, OAuthFacts, TokenAnswer } from '#adapters/services/oauth-facts.ts';
import type { ServiceSettings } from '#adapters/services/service-settings.ts';

const tokenBody = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish().catch(null),
  scope: z.string().nullish().catch(null),
  expires_in: z.coerce.number().positive().nullish().catch(null),
});

/**
 * Builds the OAuth facts for the authorization code grant (RFC 6749 §4.1); settings take precedence over the document.
 */
export function openApiOAuth(auth: OpenApiAuth & { kind: 'oauth2' }, settings: ServiceSettings): OAuthFacts {
  const scopes = auth.scopes ?? [];
  const clientAuthentication = auth.clientAuthentication ?? 'body';
  const client = (app: OAuthApp): Readonly<Record<string, string>> =>
    clientAuthentication === 'body' ? { client_id: app.clientId, client_secret: app.clientSecret } : {};
  const scopeOf = (app: OAuthApp): Readonly<Record<string, string>> => {
    const scope = app.scopes?.split(/[\s,]+/).join(' ') ?? scopes.join(' ');
    return scope === '' ? {} : { scope };
  };
  return {
    authorizeUrl: () => settings.authorizeUrl ?? auth.authorizationUrl ?? null,
    tokenUrl: () => settings.tokenUrl ?? auth.tokenUrl ?? null,
    authorizationParameters: ({ app, redirectUri }) => ({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      ...scopeOf(app),
    }),
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
    hasPkce: auth.pkce ?? true,
    readTokens,
    isRefused,
    renewEveryMs: null,
    needsRefreshToken: false,
  };
}

function readTokens(body: unknown): TokenAnswer | null {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return null;
  const { access_token: accessToken, refresh_token: refreshToken, scope, expires_in: expiresInS } = parsed.data;
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    scope:
      scope
        ?.split(/[\s,]+/)
        .filter(Boolean)
        .join(',') ?? null,
    expiresInS: expiresInS ?? null,
    extra: {},
  };
}

const rejection = z.object({ error: z.string() });

function isRefused(status: number, body: unknown): boolean {
  return status < 500 && rejection.safeParse(body).data?.error === 'invalid_grant';
}
