import { z } from 'zod';
import type { AuthorizationQuestion, OAuthFacts, TokenAnswer } from '#adapters/services/oauth-facts.ts';
import {
  type DataCenterName,
  dataCenterIn,
  dataCenterNamed,
  dataCenterOf,
  dataCenterOfAccounts,
  dataCenterOfApi,
  dataCenters,
  filledFor,
} from '#adapters/services/suite-crm/data-centers.ts';
import type { SuiteCrmDialect } from '#adapters/services/suite-crm/dialect.ts';

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
  // Those that the contract's operations need besides, and the contract does not name.
  zoho: ['ZohoCRM.notifications.ALL', 'ZohoCRM.org.READ', 'ZohoCRM.send_mail.all.CREATE'],
} as const;

/** Errors of a renewal after which the grant is gone. A wrong client or "too many requests" may pass, so they are not among them. */
const finalErrors: readonly string[] = ['invalid_code', 'invalid_grant', 'invalid_refresh_token', 'access_denied'];

const hourlyMs = 50 * 60 * 1000;

/** How the suite CRM does OAuth (contract, OAuth flows: suite CRM). The client is known by fields of the body. */
export function suiteCrmOAuth(dialect: SuiteCrmDialect, addresses: SuiteCrmAddresses): OAuthFacts {
  const isOwn = dialect === 'zoho';
  const address = (set: string | null, path: string, center: DataCenterName) => {
    if (set !== null) return filledFor(set, center);
    return isOwn ? `${dataCenters[center].accounts}/oauth/v2/${path}` : null;
  };
  return {
    authorizeUrl: (extra) => address(addresses.authorizeUrl, 'auth', dataCenterOf(extra)),
    tokenUrl: (extra, callback) => address(addresses.tokenUrl, 'token', centerOf(extra, callback)),
    authorizationParameters: (question) => ({
      response_type: 'code',
      client_id: question.app.clientId,
      scope: scopeOf(question, isOwn),
      redirect_uri: question.redirectUri,
      access_type: 'offline',
      // Without it a second consent gives no refresh token.
      ...(isOwn ? { prompt: 'consent' } : {}),
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
    readTokens: (body) => readTokens(body, addresses.url),
    isRefused: (_, body) => {
      const parsed = errorBody.safeParse(body);
      return parsed.success && finalErrors.includes(parsed.data.error);
    },
    renewEveryMs: hourlyMs,
    needsRefreshToken: true,
  };
}

function scopeOf({ app }: AuthorizationQuestion, isOwn: boolean): string {
  return app.scopes ?? [...scopes.neutral, ...(isOwn ? scopes.zoho : [])].join(',');
}

/**
 * The data centre that gives the tokens: the one that the provider sent the browser back with, else the connection's. The
 * callback's address is only looked up among the known ones, since whoever made the link chose it.
 */
function centerOf(
  extra: Readonly<Record<string, unknown>>,
  callback: Readonly<Record<string, string>> = {},
): DataCenterName {
  return (
    dataCenterOfAccounts(callback['accounts-server']) ?? dataCenterNamed(callback['location']) ?? dataCenterOf(extra)
  );
}

/** The tokens, and the `api_domain` with its data centre; null for an error, which comes with HTTP 200. */
function readTokens(body: unknown, url: string | null): TokenAnswer | null {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return null;
  const { access_token, refresh_token, scope, expires_in, api_domain } = parsed.data;
  const center = api_domain === undefined ? null : (dataCenterIn(api_domain, url) ?? dataCenterOfApi(api_domain));
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
