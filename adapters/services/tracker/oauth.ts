import { z } from 'zod';
import type { AuthorizationInput, OAuthApp, OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { TrackerDialect } from '#adapters/services/tracker/dialects.ts';

/** The configured OAuth endpoints; null when not set. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

const own = {
  authorizeUrl: 'https://linear.app/oauth/authorize',
  tokenUrl: 'https://api.linear.app/oauth/token',
} as const;

/** How often the background job renews tokens, which live 24 hours, in ms (RENEW-001). */
const renewEveryMs = 22 * 3_600_000;

/** `read` for queries, `write` for the rest. */
const usualScopes = 'read,write';

/** Additionally required for registering webhooks; requested only from users whose tokens register them. */
const webhookScope = 'admin';

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive().nullish(),
  scope: z.union([z.string(), z.array(z.string())]).nullish(),
});

const rejection = z.object({ error: z.string() });

/** The OAuth facts of the tracker (CONN-004). Every request uses PKCE. */
export function trackerOAuth(dialect: TrackerDialect, addresses: OAuthAddresses): OAuthFacts {
  const real = dialect === 'linear' ? own : { authorizeUrl: null, tokenUrl: null };
  const authorizeUrl = addresses.authorizeUrl ?? real.authorizeUrl;
  const tokenUrl = addresses.tokenUrl ?? real.tokenUrl;
  return {
    authorizeUrl: () => authorizeUrl,
    tokenUrl: () => tokenUrl,
    keptExtra: (extra) => ({ ...extra, actor_mode: extra['actor_mode'] ?? 'user' }),
    authorizationParameters,
    exchangeFields: ({ app, code, redirectUri }) => ({
      grant_type: 'authorization_code',
      ...clientOf(app),
      code,
      redirect_uri: redirectUri,
    }),
    refreshFields: (app, refreshToken) => ({
      grant_type: 'refresh_token',
      ...clientOf(app),
      refresh_token: refreshToken,
    }),
    clientAuthentication: 'body',
    hasPkce: true,
    readTokens: (body) => {
      const parsed = tokens.safeParse(body);
      if (!parsed.success) return null;
      const { access_token, refresh_token, expires_in, scope } = parsed.data;
      return {
        accessToken: access_token,
        refreshToken: refresh_token ?? null,
        scope: scope == null ? null : commaSeparated(Array.isArray(scope) ? scope.join(' ') : scope),
        expiresInS: expires_in ?? null,
        extra: {},
      };
    },
    isRefused: (status, body) =>
      status >= 400 && status < 500 && rejection.safeParse(body).data?.error === 'invalid_grant',
    renewEveryMs,
    needsRefreshToken: false,
  };
}

/** Sends `actor=app` only where the connection says so; without it the provider defaults to `actor=user`. */
function authorizationParameters({ app, redirectUri, extra, registersWebhooks = false }: AuthorizationInput) {
  const scopes = registersWebhooks ? `${usualScopes},${webhookScope}` : usualScopes;
  return {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: commaSeparated(app.scopes ?? scopes),
    ...(extra['actor_mode'] === 'app' ? { actor: 'app' } : {}),
  };
}

/** With PKCE the secret is optional; it is omitted when not set. */
function clientOf({ clientId, clientSecret }: OAuthApp) {
  return { client_id: clientId, ...(clientSecret === '' ? {} : { client_secret: clientSecret }) };
}

function commaSeparated(scopes: string): string {
  return scopes
    .split(/[\s,]+/)
    .filter((scope) => scope !== '')
    .join(',');
}
