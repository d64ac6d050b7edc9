import { z } from 'zod';
import type { AuthorizationQuestion, OAuthApp, OAuthFacts } from '#adapters/services/oauth-facts.ts';
import type { TrackerDialect } from '#adapters/services/tracker/dialects.ts';

/** Where the flow goes; each null when it is not set. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

const own = {
  authorizeUrl: 'https://linear.app/oauth/authorize',
  tokenUrl: 'https://api.linear.app/oauth/token',
} as const;

/** The background job renews about every 22 hours; a token lives 24 (RENEW-001). */
const renewEveryMs = 22 * 3_600_000;

/** `read` for lists and gets, `write` for the rest. */
const usualScopes = 'read,write';

/** What registering webhooks needs besides. Asked of nobody whose tokens do not register any. */
const webhookScope = 'admin';

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive().nullish(),
  scope: z.union([z.string(), z.array(z.string())]).nullish(),
});

const rejection = z.object({ error: z.string() });

/** How the tracker does OAuth (CONN-004). PKCE goes with every request. */
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

/** `actor=app` only where the connection says so: `actor=user` is what comes without it. */
function authorizationParameters({ app, redirectUri, extra, registersWebhooks = false }: AuthorizationQuestion) {
  const scopes = registersWebhooks ? `${usualScopes},${webhookScope}` : usualScopes;
  return {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: commaSeparated(app.scopes ?? scopes),
    ...(extra['actor_mode'] === 'app' ? { actor: 'app' } : {}),
  };
}

/** With PKCE the secret is optional; one that is not set is left out. */
function clientOf({ clientId, clientSecret }: OAuthApp) {
  return { client_id: clientId, ...(clientSecret === '' ? {} : { client_secret: clientSecret }) };
}

function commaSeparated(scopes: string): string {
  return scopes
    .split(/[\s,]+/)
    .filter((scope) => scope !== '')
    .join(',');
}
