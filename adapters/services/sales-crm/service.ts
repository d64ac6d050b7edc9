import { z } from 'zod';
import { counted } from '#adapters/services/counted.ts';
import { defineService } from '#adapters/services/define-service.ts';
import { hostLabel } from '#adapters/services/sales-crm/details/company-domain.ts';
import { pipedriveAddress } from '#adapters/services/sales-crm/details/record-address.ts';
import { salesCrmDialect } from '#adapters/services/sales-crm/dialects.ts';
import { pipedriveGuide } from '#adapters/services/sales-crm/guide.ts';
import { planNames } from '#adapters/services/sales-crm/limits.ts';
import { SalesCrmNames } from '#adapters/services/sales-crm/names.ts';
import { salesCrmOAuth } from '#adapters/services/sales-crm/oauth.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';
import { desiredWebhooks, SalesCrmWebhooks } from '#adapters/services/sales-crm/webhook-registration.ts';
import { salesCrmWebhookSource } from '#adapters/services/sales-crm/webhook-source.ts';

/** What a connection stores in `extra`; plan and seats raise the enforced rate limits. */
const extra = z.object({
  company_domain: z.string().regex(hostLabel, { error: 'must be the name before the first dot: acme' }).optional(),
  plan: z.enum(planNames, { error: `must be one of ${planNames.join(', ')}` }).optional(),
  seats: counted.optional(),
});

/** The sales CRM: deals, leads, people and organizations. */
export const salesCrm = defineService({
  key: 'sales_crm',
  title: 'Sales CRM',
  noun: 'sales CRM',
  vendors: { pipedrive: 'Pipedrive' },
  guides: { pipedrive: pipedriveGuide },
  operations,
  dialect: ({ dialect, url }) => salesCrmDialect(dialect, url),
  oauth: ({ dialect, authorizeUrl, tokenUrl }) => salesCrmOAuth(dialect, { authorizeUrl, tokenUrl }),
  connection: { key: 'personal_token', extra, probe: 'users.me' },
  names: () => new SalesCrmNames(),
  recordAddresses: { pipedrive: pipedriveAddress },
  versionPrefixes: ['/api/v2', '/v1'],
  webhooks: {
    secret: 'SALES_CRM_WEBHOOK_SECRET',
    // The neutral dialect verifies with the app's secret if no other is configured; the vendor does not sign.
    otherSecrets: ({ dialect, clientSecret }) => (dialect === 'neutral' && clientSecret !== null ? [clientSecret] : []),
    source: ({ dialect }, secrets) => salesCrmWebhookSource({ dialect, secrets }),
    desired: desiredWebhooks,
    registration: ({ dialect }, { caller, secrets, secretId }) =>
      new SalesCrmWebhooks({ caller, dialect, secrets, secretId }),
  },
  instructions: {
    tools: 'sales_crm_*',
    tips: ['include_labels and include_option_labels show {id, label} instead of ids.'],
  },
});
