import { z } from 'zod';
import { counted } from '#adapters/services/counted.ts';
import { defineService } from '#adapters/services/define-service.ts';
import { dataCenterNames, dataCenterOfApi } from '#adapters/services/suite-crm/details/data-centers.ts';
import { zohoAddress } from '#adapters/services/suite-crm/details/record-address.ts';
import { suiteCrmDialect } from '#adapters/services/suite-crm/dialects.ts';
import { neutralSuiteGuide, zohoGuide } from '#adapters/services/suite-crm/guide.ts';
import { explainMissing } from '#adapters/services/suite-crm/missing.ts';
import { suiteCrmOAuth } from '#adapters/services/suite-crm/oauth.ts';
import { operations } from '#adapters/services/suite-crm/operations.ts';
import { desiredWebhooks, SuiteCrmWebhooks } from '#adapters/services/suite-crm/webhook-registration.ts';
import { suiteCrmWebhookSource } from '#adapters/services/suite-crm/webhook-source.ts';
import { addresses } from '#infrastructure/config/setting-types.ts';

/** The suite CRM: records of any module, with their notes, files, e-mails and tags. */
export const suiteCrm = defineService({
  key: 'suite_crm',
  title: 'Suite CRM',
  noun: 'suite CRM',
  vendors: { zoho: 'Zoho' },
  guides: { zoho: zohoGuide, neutral: neutralSuiteGuide },
  settings: { SUITE_CRM_WEBHOOK_ADDRESSES: addresses.optional() },
  operations,
  dialect: ({ dialect, url }) => suiteCrmDialect(dialect, url),
  oauth: ({ dialect, url, authorizeUrl, tokenUrl }) => suiteCrmOAuth(dialect, { url, authorizeUrl, tokenUrl }),
  connection: { key: null, extra: ({ url }) => extraOf(url), probe: 'users.list' },
  recordAddresses: { zoho: zohoAddress },
  versionPrefixes: ['/crm/v8'],
  timeoutMs: 60_000,
  maxBytes: 64 * 1024 * 1024,
  explainMissing,
  webhooks: {
    secret: 'SUITE_CRM_WEBHOOK_TOKEN',
    source: ({ own }, secrets) => suiteCrmWebhookSource({ secrets, addresses: own.SUITE_CRM_WEBHOOK_ADDRESSES }),
    desired: desiredWebhooks,
    registration: (_, { caller, secrets, secretId, now }) =>
      new SuiteCrmWebhooks({ caller, tokens: secrets, secretId, now }),
  },
  instructions: { tools: 'suite_*' },
});

/**
 * The schema of what users may set in a connection's `extra`. Its address must be one of the provider's own, or the
 * configured one.
 */
function extraOf(url: string | null) {
  const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : null);
  const isOurs = (address: string) =>
    (originOf(address)?.startsWith('https:') === true && dataCenterOfApi(address) !== null) ||
    (url !== null && originOf(address) !== null && originOf(address) === originOf(url));
  return z.strictObject({
    api_domain: z.url().refine(isOurs, { error: "must be an address of the provider's own" }).optional(),
    data_center: z.enum(dataCenterNames).optional(),
    plan: z.enum(['free', 'standard', 'professional', 'enterprise', 'ultimate']).optional(),
    users: counted.optional(),
  });
}
