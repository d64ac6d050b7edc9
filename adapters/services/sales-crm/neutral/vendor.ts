import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { lacks } from '#adapters/services/definitions/vendor-operations.ts';
import { salesCrmKind } from '#adapters/services/sales-crm/kind.ts';
import { neutralDialect } from '#adapters/services/sales-crm/neutral/dialect.ts';
import { salesCrmExtra } from '#adapters/services/sales-crm/neutral/extra.ts';
import { salesCrmOAuth, usualScopes } from '#adapters/services/sales-crm/neutral/oauth.ts';
import { desiredWebhooks, SalesCrmWebhooks } from '#adapters/services/sales-crm/neutral/webhook-registration.ts';
import { bySignature, salesCrmWebhookSource } from '#adapters/services/sales-crm/neutral/webhook-source.ts';

/** Any sales CRM with the neutral interface. */
export const neutral = defineVendor(salesCrmKind, {
  name: 'neutral',
  title: null,
  operations: { 'webhooks.list': lacks(), 'webhooks.delete': lacks() },
  otherwise: 'neutral',
  dialect: ({ url }) => neutralDialect(url),
  oauth: ({ authorizeUrl, tokenUrl }) =>
    salesCrmOAuth({ authorizeUrl, tokenUrl, scopes: usualScopes, clientAuthentication: 'body' }),
  extra: salesCrmExtra,
  webhooks: {
    // Deliveries are verified with the app's secret if no other is configured.
    otherSecrets: ({ clientSecret }) => (clientSecret === null ? [] : [clientSecret]),
    source: (_, secrets) => salesCrmWebhookSource(secrets, bySignature),
    desired: desiredWebhooks,
    registration: (_, dependencies) => new SalesCrmWebhooks({ ...dependencies, isWhole: false }),
  },
});
