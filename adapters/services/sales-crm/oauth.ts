import { z } from 'zod';
import type { OAuthFacts, TokenAnswer } from '#adapters/services/oauth-facts.ts';
import { companyDomainIn } from '#adapters/services/sales-crm/details/company-domain.ts';
import type { SalesCrmDialectName } from '#adapters/services/sales-crm/dialects.ts';

const pipedriveAuthorizeUrl = 'https://oauth.pipedrive.com/oauth/authorize';
const pipedriveTokenUrl = 'https://oauth.pipedrive.com/oauth/token';

/** The scopes that are requested when none are configured. */
const scopes = 'deals:full contacts:full leads:full activities:full products:full projects:full webhooks:full admin';

const tokenBody = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish().catch(null),
  scope: z.string().nullish().catch(null),
  expires_in: z.number().positive().nullish().catch(null),
});

const word = z.string().catch('');
const rejectionBody = z.object({ error: word, error_description: word, message: word });

/** The OAuth endpoints; null stands for the vendor's own in its dialect, and for none in the neutral one. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

const shared = {
  hasPkce: false,
  readTokens,
  isRefused,
  renewEveryMs: 50 * 60_000,
  needsRefreshToken: false,
} as const;

/** The OAuth facts of the sales CRM in a dialect (CONN-004). */
export function salesCrmOAuth(dialect: SalesCrmDialectName, { authorizeUrl, tokenUrl }: OAuthAddresses): OAuthFacts {
  if (dialect === 'neutral') {
    return {
      ...shared,
      authorizeUrl: () => authorizeUrl,
      tokenUrl: () => tokenUrl,
      authorizationParameters: ({ app, redirectUri }) => ({
        client_id: app.clientId,
        redirect_uri: redirectUri,
        scope: app.scopes ?? scopes,
      }),
      exchangeFields: ({ app, code, redirectUri }) => ({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: app.clientId,
        client_secret: app.clientSecret,
      }),
      refreshFields: (app, refreshToken) => ({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: app.clientId,
        client_secret: app.clientSecret,
      }),
      clientAuthentication: 'body',
    };
  }
  return {
    ...shared,
    authorizeUrl: () => authorizeUrl ?? pipedriveAuthorizeUrl,
    tokenUrl: () => tokenUrl ?? pipedriveTokenUrl,
    // The provider takes an app's scopes from its registration, and accepts no scope parameter.
    authorizationParameters: ({ app, redirectUri }) => ({ client_id: app.clientId, redirect_uri: redirectUri }),
    exchangeFields: ({ code, redirectUri }) => ({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    refreshFields: (_, refreshToken) => ({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    clientAuthentication: 'basic',
  };
}

/**
 * Parses tokens; both may be new (rolling refresh tokens). The scope is stored comma-separated, whatever its format.
 */
function readTokens(body: unknown): TokenAnswer | null {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return null;
  const { access_token: accessToken, refresh_token: refreshToken, scope, expires_in: expiresInS } = parsed.data;
  const company = companyDomainIn(body);
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    scope:
      scope === null || scope === undefined
        ? null
        : scope
            .split(/[\s,]+/)
            .filter(Boolean)
            .join(','),
    expiresInS: expiresInS ?? null,
    extra: company === null ? {} : { company_domain: company },
  };
}

/**
 * Whether the error is `invalid_grant`, as a code or in the provider's words ("Invalid grant: refresh_token is
 * invalid").
 */
function isRefused(status: number, body: unknown): boolean {
  if (status >= 500 || status === 429) return false;
  const parsed = rejectionBody.safeParse(body);
  if (!parsed.success) return false;
  const { error, error_description: description, message } = parsed.data;
  return [error, description, message].some((text) => /invalid[ _]grant/i.test(text));
}
