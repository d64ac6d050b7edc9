import { type OAuthFacts, scopeList, standardOAuth } from '#adapters/services/credentials/oauth-facts.ts';
import type { ServiceSettings } from '#adapters/services/definitions/service-settings.ts';
import type { OpenApiAuth } from '#adapters/services/from-openapi/auth.ts';

/**
 * Builds the OAuth facts for the authorization code grant (RFC 6749 §4.1); settings take precedence over the document.
 */
export function openApiOAuth(auth: OpenApiAuth & { kind: 'oauth2' }, settings: ServiceSettings): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => settings.authorizeUrl ?? auth.authorizationUrl ?? null,
    tokenUrl: () => settings.tokenUrl ?? auth.tokenUrl ?? null,
    authorizationParameters: ({ app, redirectUri }) => {
      const scope = scopeList(app.scopes ?? auth.scopes ?? []).join(' ');
      return {
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: redirectUri,
        ...(scope === '' ? {} : { scope }),
      };
    },
    clientAuthentication: auth.clientAuthentication ?? 'body',
    hasPkce: auth.pkce ?? true,
  });
}
