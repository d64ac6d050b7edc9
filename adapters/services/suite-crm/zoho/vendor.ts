import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { suiteCrmKind } from '#adapters/services/suite-crm/kind.ts';
import { suiteCrmDialect } from '#adapters/services/suite-crm/neutral/dialect.ts';
import { extraOf } from '#adapters/services/suite-crm/neutral/extra.ts';
import { isAboutTooMany, suiteCrmOAuth, suiteScopes } from '#adapters/services/suite-crm/neutral/oauth.ts';
import { desiredWebhooks, SuiteCrmWebhooks } from '#adapters/services/suite-crm/neutral/webhook-registration.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';
import { zohoChecks } from '#adapters/services/suite-crm/zoho/checks.ts';
import { dataCenterOf, dataCenters } from '#adapters/services/suite-crm/zoho/data-centers.ts';
import { fetchRecord } from '#adapters/services/suite-crm/zoho/fetch-record.ts';
import { zohoGuide } from '#adapters/services/suite-crm/zoho/guide.ts';
import { zohoBudgets, zohoLimitIn } from '#adapters/services/suite-crm/zoho/limits.ts';
import { zohoAddress } from '#adapters/services/suite-crm/zoho/record-address.ts';
import { requests } from '#adapters/services/suite-crm/zoho/requests.ts';

/** Also required by operations. */
const moreScopes = ['ZohoCRM.notifications.ALL', 'ZohoCRM.org.READ', 'ZohoCRM.send_mail.all.CREATE'];

/** For how long Zoho gives no more access tokens after too many in that time, in ms. */
const tokenLimitMs = 600_000;

/** Zoho CRM. */
export const zoho = defineVendor(suiteCrmKind, {
  name: 'zoho',
  title: 'Zoho',
  operations: requests,
  otherwise: 'neutral',
  dialect: ({ url }) => ({
    limitIn: zohoLimitIn,
    ...suiteCrmDialect(
      {
        name: 'zoho',
        prefix: 'Zoho-oauthtoken',
        hasTokens: true,
        budgets: zohoBudgets,
        usualUrl: ({ extra }) => dataCenters[dataCenterOf(extra)].api,
      },
      url,
    ),
  }),
  oauth: (settings) => ({
    ...suiteCrmOAuth(settings, {
      accounts: (center) => dataCenters[center].accounts,
      scopes: [...suiteScopes, ...moreScopes],
      // Without it a repeated consent returns no refresh token.
      parameters: { prompt: 'consent' },
    }),
    // https://www.zoho.com/accounts/protocol/oauth/web-apps/revoke-tokens.html
    revocation: (tokenUrl, { refreshToken, accessToken }) => ({
      method: 'POST',
      url: `${tokenUrl}/revoke`,
      fields: { token: refreshToken ?? accessToken },
    }),
    impliedWaitMs: (body) => (isAboutTooMany(body) ? tokenLimitMs : null),
  }),
  extra: ({ url }) => extraOf(url),
  recordAddress: zohoAddress,
  webhooks: {
    source: ({ own }, secrets) => ({
      ...suiteCrmWebhookSource({ secrets, addresses: own.SUITE_CRM_WEBHOOK_ADDRESSES }),
      fetch: fetchRecord,
    }),
    desired: desiredWebhooks,
    registration: (_, { secrets, ...dependencies }) => new SuiteCrmWebhooks({ ...dependencies, tokens: secrets }),
  },
  checks: zohoChecks,
  guide: zohoGuide,
});
