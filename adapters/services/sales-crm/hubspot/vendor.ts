import { z } from 'zod';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { dealDeletedForGood, fileWithNote } from '#adapters/services/sales-crm/changes.ts';
import { hubspotChecks } from '#adapters/services/sales-crm/hubspot/checks.ts';
import { completed, hubspotOAuth, probe, recordAddress } from '#adapters/services/sales-crm/hubspot/connection.ts';
import { hubspotDialect } from '#adapters/services/sales-crm/hubspot/dialect.ts';
import { hubspotGuide } from '#adapters/services/sales-crm/hubspot/guide.ts';
import { hubspotOperations } from '#adapters/services/sales-crm/hubspot/operations.ts';
import { hubspotRequests } from '#adapters/services/sales-crm/hubspot/requests.ts';
import { hubspotWebhookSource } from '#adapters/services/sales-crm/hubspot/webhook-source.ts';
import { salesCrmKind } from '#adapters/services/sales-crm/kind.ts';
import { commaList } from '#infrastructure/config/setting-types.ts';

/** HubSpot: deals, contacts, companies and leads, whose properties are texts. */
export const hubspot = defineVendor(salesCrmKind, {
  name: 'hubspot',
  title: 'HubSpot',
  settings: { SALES_CRM_ACCOUNT_IDS: commaList.optional() },
  entered: ['SALES_CRM_ACCOUNT_IDS'],
  requests: hubspotRequests,
  operations: () => hubspotOperations(),
  probe,
  dialect: ({ url }) => hubspotDialect(url),
  oauth: hubspotOAuth,
  extra: z.object({}),
  complete: (record, http, { url }) => completed(record, http, url),
  recordAddress,
  changes: { 'deals.delete': dealDeletedForGood, 'files.upload': fileWithNote },
  checks: hubspotChecks,
  webhooks: {
    otherSecrets: ({ clientSecret }) => (clientSecret === null ? [] : [clientSecret]),
    source: ({ own }, secrets) => hubspotWebhookSource(secrets, own.SALES_CRM_ACCOUNT_IDS ?? []),
  },
  guide: hubspotGuide,
});
