import {
  type AuthorizationInput,
  type OAuthFacts,
  scopeList,
  standardOAuth,
} from '#adapters/services/credentials/oauth-facts.ts';

/** The OAuth endpoints; null when there are none. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

/** How often the background job renews tokens, which live 24 hours, in ms (RENEW-001). */
const renewEveryMs = 22 * 3_600_000;

/** `read` for queries, `write` for the rest. */
const usualScopes = 'read,write';

/** Additionally required for registering webhooks; requested only from users whose tokens register them. */
const webhookScope = 'admin';

/** The OAuth facts of the tracker (CONN-004). Every request uses PKCE. */
export function trackerOAuth({ authorizeUrl, tokenUrl }: OAuthAddresses): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => authorizeUrl,
    tokenUrl: () => tokenUrl,
    keptExtra: (extra) => ({ ...extra, actor_mode: extra['actor_mode'] ?? 'user' }),
    authorizationParameters,
    hasPkce: true,
    renewEveryMs,
  });
}

/** Sends `actor=app` only where the connection says so; without it the provider defaults to `actor=user`. */
function authorizationParameters({ app, redirectUri, extra, registersWebhooks = false }: AuthorizationInput) {
  const scopes = registersWebhooks ? `${usualScopes},${webhookScope}` : usualScopes;
  return {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopeList(app.scopes ?? scopes).join(','),
    ...(extra['actor_mode'] === 'app' ? { actor: 'app' } : {}),
  };
}
