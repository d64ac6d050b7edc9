import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { suiteCrmKind } from '#adapters/services/suite-crm/kind.ts';
import { suiteCrmDialect } from '#adapters/services/suite-crm/neutral/dialect.ts';
import { extraOf } from '#adapters/services/suite-crm/neutral/extra.ts';
import { neutralSuiteGuide } from '#adapters/services/suite-crm/neutral/guide.ts';
import { budgets } from '#adapters/services/suite-crm/neutral/limits.ts';
import { suiteCrmOAuth, suiteScopes } from '#adapters/services/suite-crm/neutral/oauth.ts';
import { desiredWebhooks, SuiteCrmWebhooks } from '#adapters/services/suite-crm/neutral/webhook-registration.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/neutral/webhook-source.ts';

/** Any suite CRM with the neutral interface. */
export const neutral = defineVendor(suiteCrmKind, {
  name: 'neutral',
  title: null,
  operations: {},
  otherwise: 'neutral',
  dialect: ({ url }) =>
    suiteCrmDialect(
      { name: 'neutral', prefix: 'Suite-oauthtoken', hasTokens: false, budgets, usualUrl: () => null },
      url,
    ),
  oauth: (settings) => suiteCrmOAuth(settings, { accounts: () => null, scopes: suiteScopes, parameters: {} }),
  extra: ({ url }) => extraOf(url),
  webhooks: {
    source: ({ own }, secrets) => suiteCrmWebhookSource({ secrets, addresses: own.SUITE_CRM_WEBHOOK_ADDRESSES }),
    desired: desiredWebhooks,
    registration: (_, { secrets, ...dependencies }) => new SuiteCrmWebhooks({ ...dependencies, tokens: secrets }),
  },
  guide: neutralSuiteGuide,
});
