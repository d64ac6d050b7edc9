import { z } from 'zod';
import type { AuthorizationQuestion, OAuthFacts, TokenAnswer } from '#adapters/services/oauth-facts.ts';
import {
  type DataCenterName,
  dataCenterIn,
  dataCenterNamed,
  dataCenterOf,
  dataCenterOfAccounts,
  dataCenters,
  filledFor,
  knownDataCenterOf,
} from '#adapters/services/suite-crm/details/data-centers.ts';
import type { SuiteCrmDialect } from '#adapters/services/suite-crm/dialects.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/**
 * Where the API is and where tokens are asked for, as they are set, else null. `{data_center}` in an address stands for the
 * connection's data centre in lower case.
 */
export type SuiteCrmAddresses = Readonly<{ url: string | null; authorizeUrl: string | null; tokenUrl: string | null }>;

const tokenBody = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  scope: z.string().optional(),
  expires_in: z.coerce.number().int().positive().optional(),
  api_domain: z
    .url({ protocol: /^https?$/ })
    .optional()
    .catch(undefined),
});
const errorBody = z.object({ error: z.string() });

const scopes = {
  neutral: [
    'ZohoCRM.modules.ALL',
    'ZohoCRM.settings.ALL',
    'ZohoCRM.users.ALL',
    'ZohoCRM.coql.READ',
    'ZohoCRM.bulk.ALL',
  ],
  // Those that the operations need besides.
  zoho: ['ZohoCRM.notifications.ALL', 'ZohoCRM.org.READ', 'ZohoCRM.send_mail.all.CREATE'],
} as const;

/** Errors of a renewal after which the grant is gone. A wrong client or "too many requests" may pass, so they are not among them. */
const finalErrors: readonly string[] = ['invalid_code', 'invalid_grant', 'invalid_refresh_token', 'access_denied'];

const wrongCenterErrors: readonly string[] = ['invalid_code', 'invalid_grant', 'invalid_refresh_token'];

const hourlyMs = 50 * 60 * 1000;

/** How the suite CRM does OAuth (SUITE-006, SUITE-007). The client is known by fields of the body. */
export function suiteCrmOAuth(dialect: SuiteCrmDialect, addresses: SuiteCrmAddresses): OAuthFacts {
  const isZoho = dialect === 'zoho';
  const address = (set: string | null, path: string, center: DataCenterName) => {
    if (set !== null) return filledFor(set, center);
    return isZoho ? `${dataCenters[center].accounts}/oauth/v2/${path}` : null;
  };
  const dataCenterFrom = (callback: Readonly<Record<string, string>>) =>
    reportedDataCenter(callback, addresses.tokenUrl);
  return {
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
      scope: scopeOf(question, isZoho),
      redirect_uri: question.redirectUri,
      access_type: 'offline',
      // Without it a second consent gives no refresh token.
      ...(isZoho ? { prompt: 'consent' } : {}),
    }),
    exchangeFields: ({ app, code, redirectUri }) => ({
      grant_type: 'authorization_code',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      redirect_uri: redirectUri,
    }),
    refreshFields: (app, refreshToken) => ({
      grant_type: 'refresh_token',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      refresh_token: refreshToken,
    }),
    clientAuthentication: 'body',
    hasPkce: false,
    readTokens: (body, before) => readTokens(body, addresses.url, before),
    isRefused: (_, body, before) => {
      const { error = '' } = errorBody.safeParse(body).data ?? {};
      // Another data centre than the grant's says the same of a refresh token that is good where it was given.
      const isOneOnly = addresses.tokenUrl?.includes('{data_center}') === false;
      const isSure = before == null || isOneOnly || knownDataCenterOf(before.extra, addresses.url) !== null;
      return finalErrors.includes(error) && (isSure || !wrongCenterErrors.includes(error));
    },
    renewEveryMs: hourlyMs,
    needsRefreshToken: true,
  };
}

function scopeOf({ app }: AuthorizationQuestion, isZoho: boolean): string {
  return app.scopes ?? [...scopes.neutral, ...(isZoho ? scopes.zoho : [])].join(',');
}

/**
 * The data centre that the provider sent the browser back with; null when it names none. What stands in the callback is only looked up
 * among the known ones, since whoever made the link chose it.
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

/** Scheme and host of an address or a template of addresses; '' for anything else. */
function originOf(address: string | undefined): string {
  return /^https?:\/\/[^/?#]+/.exec(address ?? '')?.[0] ?? '';
}

/**
 * The tokens, and the `api_domain` with its data centre, unless the connection has one already: a grant stays where it was given.
 * Null for an error, which comes with HTTP 200.
 */
function readTokens(body: unknown, url: string | null, before: TokenRecord | null): TokenAnswer | null {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return null;
  const { access_token, refresh_token, scope, expires_in, api_domain } = parsed.data;
  const isKept = dataCenterNamed(before?.extra['data_center']) !== null;
  const center = isKept ? null : knownDataCenterOf({ api_domain }, url);
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    scope:
      scope
        ?.trim()
        .split(/[\s,]+/)
        .join(',') ?? null,
    expiresInS: expires_in ?? null,
    extra: {
      ...(api_domain === undefined ? {} : { api_domain }),
      ...(center === null ? {} : { data_center: center }),
    },
  };
}
