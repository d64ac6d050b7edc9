import { z } from 'zod';
import { askedWithToken } from '#adapters/services/credentials/asked-with-token.ts';
import { type OAuthFacts, readTokens, scopeList, standardOAuth } from '#adapters/services/credentials/oauth-facts.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { RecordOfCall } from '#adapters/services/definitions/vendor.ts';
import { get } from '#adapters/services/requests/request-rows.ts';
import { hubspotUrl } from '#adapters/services/sales-crm/hubspot/dialect.ts';
import { own } from '#domain/shared/own.ts';
import { ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

const both = (name: string): readonly string[] => [`crm.objects.${name}.read`, `crm.objects.${name}.write`];
const schema = (name: string): string => `crm.schemas.${name}.read`;
const main = ['contacts', 'companies', 'deals'];

/** The scopes without which little works; tasks, calls, meetings and notes are with contacts. */
const scopes = ['oauth', 'crm.objects.owners.read', ...main.flatMap(both), ...main.map(schema)];
/**
 * The scopes of what not every account has, and of new pipelines and stages, which not everybody may make: a person may
 * authorize the app without them.
 */
const optionalScopes = [
  ...['leads', 'products', 'line_items', 'goals'].flatMap(both),
  'files',
  'crm.schemas.deals.write',
];

/** The configured addresses; null stands for HubSpot's own. */
type Addresses = Readonly<{ url: string | null; authorizeUrl: string | null; tokenUrl: string | null }>;

/** HubSpot's OAuth facts. Access tokens live for 30 minutes, refresh tokens until the app is removed. */
export function hubspotOAuth(addresses: Addresses): OAuthFacts {
  return standardOAuth({
    authorizeUrl: () => addresses.authorizeUrl ?? 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: () => addresses.tokenUrl ?? `${addresses.url ?? hubspotUrl}/oauth/2026-03/token`,
    authorizationParameters: ({ app, redirectUri }) => ({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: (app.scopes === null ? scopes : scopeList(app.scopes)).join(' '),
      ...(app.scopes === null ? { optional_scope: optionalScopes.join(' ') } : {}),
    }),
    // A refresh token is deleted; its access token ends within half an hour.
    revocation: (tokenUrl, { refreshToken, accessToken }) => ({
      method: 'DELETE',
      url: new URL(`/oauth/v1/refresh-tokens/${encodeURIComponent(refreshToken ?? accessToken)}`, tokenUrl).href,
      fields: {},
    }),
    readTokens: tokensIn,
    isRefused,
    renewEveryMs: 20 * 60_000,
    needsRefreshToken: true,
  });
}

const count = z.number().optional().catch(undefined);
const tokenSchema = z.object({ hub_id: count, user_id: count, scopes: z.array(z.string()).catch([]) });

/** The scopes are in `scopes`. The account and the user are stored with the connection. */
function tokensIn(body: unknown): ReturnType<OAuthFacts['readTokens']> {
  const tokens = readTokens(body);
  if (tokens === null) return null;
  const { hub_id: portal_id, user_id, scopes: given } = tokenSchema.parse(body);
  const extra = Object.fromEntries(Object.entries({ portal_id, user_id }).filter(([, value]) => value !== undefined));
  return { ...tokens, scope: tokens.scope ?? given.join(','), extra };
}

const rejection = z.object({ status: z.string().catch(''), error: z.string().catch('') });

/** Whether the grant is gone: `invalid_grant`, or HubSpot's word for a code or token that it does not know. */
function isRefused(status: number, body: unknown): boolean {
  const said = rejection.safeParse(body).data;
  if (status >= 500 || status === 429 || said === undefined) return false;
  return said.error === 'invalid_grant' || /^(BAD|EXPIRED)_(REFRESH_TOKEN|AUTH_CODE)$/.test(said.status);
}

const detailsPath = '/account-info/2026-03/details';

/** The request that tests credentials: every token may read which account it is of. */
export const probe = get(detailsPath, 'Reads the details of the account', {});

const host = z.string().regex(/^[a-z0-9.-]+\.hubspot\.com$/);
const details = z.object({ portalId: z.number(), uiDomain: host, companyCurrency: z.string().optional() });

/**
 * Adds to a connection the account that it is of: its id, the host of its pages, and its currency. Without an answer it
 * remains as it is; the test that follows says why.
 */
export async function completed(
  record: TokenRecord,
  http: HttpClient,
  url: string | null,
): ReturnType<NonNullable<Provider['complete']>> {
  const answer = await askedWithToken(http, `${url ?? hubspotUrl}${detailsPath}`, record.accessToken);
  const known = details.safeParse(answer).data;
  if (known === undefined) return ok(record);
  const { portalId: portal_id, uiDomain: ui_domain, companyCurrency: company_currency } = known;
  return ok({ ...record, extra: { ...record.extra, portal_id, ui_domain, company_currency } });
}

const types: Readonly<Record<string, string>> = { persons: '0-1', organizations: '0-2', deals: '0-3', leads: '0-136' };
// HubSpot redirects from its first host to that of the account's region.
const place = z.object({ portal_id: z.number(), ui_domain: host.catch('app.hubspot.com') });

/** The address of a call's record in HubSpot; null when the account is unknown, or the call concerns no such record. */
export function recordAddress({ operation, id, extra }: RecordOfCall): string | null {
  const [, kind = ''] = /^(deals|persons|organizations|leads)\.(?:get|create|update)$/.exec(operation) ?? [];
  const type = own(types, kind);
  const known = place.safeParse(extra).data;
  if (type === undefined || known === undefined || !/^\d+$/.test(id)) return null;
  return `https://${known.ui_domain}/contacts/${known.portal_id}/record/${type}/${id}`;
}
