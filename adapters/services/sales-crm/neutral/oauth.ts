import { z } from 'zod';
import {
  type OAuthFacts,
  readTokens,
  standardOAuth,
  type TokenAnswer,
} from '#adapters/services/credentials/oauth-facts.ts';
import { companyDomainIn } from '#adapters/services/sales-crm/pipedrive/company-domain.ts';

/** The scopes that are requested when none are configured. */
export const usualScopes =
  'deals:full contacts:full leads:full activities:full products:full projects:full webhooks:full admin';

const word = z.string().catch('');
const rejectionBody = z.object({ error: word, error_description: word, message: word });

/** What a vendor's OAuth has of its own; null for no address, and for scopes that are not asked for. */
type SalesCrmOAuthFacts = Readonly<{
  authorizeUrl: string | null;
  tokenUrl: string | null;
  scopes: string | null;
  clientAuthentication: OAuthFacts['clientAuthentication'];
}>;

/** The OAuth facts of a sales CRM (CONN-004). Refresh tokens may be replaced at each renewal. */
export function salesCrmOAuth({
  authorizeUrl,
  tokenUrl,
  scopes,
  clientAuthentication,
}: SalesCrmOAuthFacts): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => authorizeUrl,
    tokenUrl: () => tokenUrl,
    authorizationParameters: ({ app, redirectUri }) => ({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      ...(scopes === null ? {} : { scope: app.scopes ?? scopes }),
    }),
    clientAuthentication,
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
