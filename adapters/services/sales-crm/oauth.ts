import { z } from 'zod';
import { type OAuthFacts, readTokens, standardOAuth, type TokenAnswer } from '#adapters/services/oauth-facts.ts';
import { companyDomainIn } from '#adapters/services/sales-crm/details/company-domain.ts';
import type { SalesCrmDialectName } from '#adapters/services/sales-crm/dialects.ts';

const pipedriveAuthorizeUrl = 'https://oauth.pipedrive.com/oauth/authorize';
const pipedriveTokenUrl = 'https://oauth.pipedrive.com/oauth/token';

/** The scopes that are requested when none are configured. */
const scopes = 'deals:full contacts:full leads:full activities:full products:full projects:full webhooks:full admin';

const word = z.string().catch('');
const rejectionBody = z.object({ error: word, error_description: word, message: word });

/** The OAuth endpoints; null stands for the vendor's own in its dialect, and for none in the neutral one. */
export type OAuthAddresses = Readonly<{ authorizeUrl: string | null; tokenUrl: string | null }>;

/** The OAuth facts of the sales CRM in a dialect (CONN-004). Refresh tokens may be replaced at each renewal. */
export function salesCrmOAuth(dialect: SalesCrmDialectName, { authorizeUrl, tokenUrl }: OAuthAddresses): OAuthFacts {
  const isNeutral = dialect === 'neutral';
  return standardOAuth({
    authorizeUrl: () => authorizeUrl ?? (isNeutral ? null : pipedriveAuthorizeUrl),
    tokenUrl: () => tokenUrl ?? (isNeutral ? null : pipedriveTokenUrl),
    authorizationParameters: ({ app, redirectUri }) => ({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      // The vendor takes an app's scopes from its registration, and accepts no scope parameter.
      ...(isNeutral ? { scope: app.scopes ?? scopes } : {}),
    }),
    clientAuthentication: isNeutral ? 'body' : 'basic',
    readTokens: readTokensAndCompany,
    isRefused,
    renewEveryMs: 50 * 60_000,
  });
}

function readTokensAndCompany(body: unknown): TokenAnswer | null {
  const tokens = readTokens(body);
  const company = companyDomainIn(body);
  return tokens === null || company === null ? tokens : { ...tokens, extra: { company_domain: company } };
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
