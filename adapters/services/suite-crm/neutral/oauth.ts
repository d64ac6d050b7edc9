import { z } from 'zod';
import {
  type OAuthFacts,
  readTokens,
  standardOAuth,
  type TokenAnswer,
} from '#adapters/services/credentials/oauth-facts.ts';
import {
  type DataCenterName,
  dataCenterIn,
  dataCenterNamed,
  dataCenterOf,
  dataCenterOfAccounts,
  filledFor,
  knownDataCenterOf,
} from '#adapters/services/suite-crm/zoho/data-centers.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * The configured addresses of the API and the OAuth endpoints, else null. `{data_center}` in an address stands for the
 * connection's data centre in lower case.
 */
export type SuiteCrmAddresses = Readonly<{ url: string | null; authorizeUrl: string | null; tokenUrl: string | null }>;

const domainBody = z.object({
  api_domain: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
});
const errorBody = z.object({ error: z.string(), error_description: z.string().catch('') });

/** The scopes that the operations need. */
export const suiteScopes = [
  'ZohoCRM.modules.ALL',
  'ZohoCRM.settings.ALL',
  'ZohoCRM.users.ALL',
  'ZohoCRM.coql.READ',
  'ZohoCRM.bulk.ALL',
];

/** What a vendor's OAuth has of its own: its addresses in a data centre, its scopes, and parameters to add. */
type SuiteCrmOAuthFacts = Readonly<{
  accounts(center: DataCenterName): string | null;
  scopes: readonly string[];
  parameters: Readonly<Record<string, string>>;
}>;

/**
 * Errors of a renewal that mean the grant is lost. A wrong client or "too many requests" may be transient, so they are
 * not among them.
 */
const finalErrors: readonly string[] = ['invalid_code', 'invalid_grant', 'invalid_refresh_token', 'access_denied'];

const wrongCenterErrors: readonly string[] = ['invalid_code', 'invalid_grant', 'invalid_refresh_token'];

const hourlyMs = 50 * 60 * 1000;

/** The OAuth facts of the suite CRM (SUITE-006, SUITE-007). The client authenticates in the body. */
export function suiteCrmOAuth(
  addresses: SuiteCrmAddresses,
  { accounts, scopes, parameters }: SuiteCrmOAuthFacts,
): OAuthFacts {
  const address = (set: string | null, path: string, center: DataCenterName) => {
    if (set !== null) return filledFor(set, center);
    const server = accounts(center);
    return server === null ? null : `${server}/oauth/v2/${path}`;
  };
  const dataCenterFrom = (callback: Readonly<Record<string, string>>) =>
    reportedDataCenter(callback, addresses.tokenUrl);
  return standardOAuth({
    authorizeUrl: (extra) => address(addresses.authorizeUrl, 'auth', dataCenterOf(extra, addresses.url)),
    tokenUrl: (extra, callback = {}) =>
      address(addresses.tokenUrl, 'token', dataCenterFrom(callback) ?? dataCenterOf(extra, addresses.url)),
    keptExtra: (extra, callback) => ({
      ...extra,
      data_center: dataCenterFrom(callback) ?? dataCenterOf(extra, addresses.url),
    }),
    authorizationParameters: (question) => ({
      response_type: 'code',
      client_id: question.app.clientId,
      scope: question.app.scopes ?? scopes.join(','),
      redirect_uri: question.redirectUri,
      access_type: 'offline',
      ...parameters,
    }),
    readTokens: (body, before) => readTokensAndDomain(body, addresses.url, before),
    isRefused: (_, body, before) => {
      const { error = '' } = errorBody.safeParse(body).data ?? {};
      if (isAboutTooMany(body)) return false;
      // A data centre other than the grant's rejects a valid refresh token with the same error.
      const isOneOnly = addresses.tokenUrl?.includes('{data_center}') === false;
      const isSure = before == null || isOneOnly || knownDataCenterOf(before.extra, addresses.url) !== null;
      return finalErrors.includes(error) && (isSure || !wrongCenterErrors.includes(error));
    },
    renewEveryMs: hourlyMs,
    needsRefreshToken: true,
  });
}

/** Whether an error speaks of too many requests, whatever its code: `access_denied` may mean that. */
export function isAboutTooMany(body: unknown): boolean {
  const { error = '', error_description: description = '' } = errorBody.safeParse(body).data ?? {};
  return /too many|limit|exceeded|throttl/i.test(`${error} ${description}`);
}

/**
 * The data centre named in the provider's redirect; null when there is none. It is only looked up among the known ones,
 * since the callback can be forged.
 */
function reportedDataCenter(
  callback: Readonly<Record<string, string>>,
  tokenUrl: string | null,
): DataCenterName | null {
  const server = callback['accounts-server'];
  return (
    dataCenterOfAccounts(server) ??
    dataCenterIn(originOf(server), tokenUrl === null ? null : originOf(tokenUrl)) ??
    dataCenterNamed(callback['location'])
  );
}

/** Scheme and host of an address or address template; '' for anything else. */
function originOf(address: string | undefined): string {
  return /^https?:\/\/[^/?#]+/.exec(address ?? '')?.[0] ?? '';
}

/**
 * Parses the tokens, and the `api_domain` with its data centre unless the connection already has one: a grant stays
 * with its data centre. Null for an error, which is returned with HTTP 200.
 */
function readTokensAndDomain(body: unknown, url: string | null, before: TokenRecord | null): TokenAnswer | null {
  const tokens = readTokens(body);
  if (tokens === null) return null;
  const { api_domain } = domainBody.parse(body);
  const isKept = dataCenterNamed(before?.extra['data_center']) !== null;
  const center = isKept ? null : knownDataCenterOf({ api_domain }, url);
  return {
    ...tokens,
    extra: {
      ...(api_domain === undefined ? {} : { api_domain }),
      ...(center === null ? {} : { data_center: center }),
    },
  };
}
