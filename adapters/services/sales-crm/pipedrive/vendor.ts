import { revokedBeside } from '#adapters/services/credentials/token-revocation.ts';
import { defineVendor } from '#adapters/services/definitions/define-vendor.ts';
import { salesCrmKind } from '#adapters/services/sales-crm/kind.ts';
import { successReader } from '#adapters/services/sales-crm/neutral/answers.ts';
import { bearer, shared } from '#adapters/services/sales-crm/neutral/dialect.ts';
import { salesCrmExtra } from '#adapters/services/sales-crm/neutral/extra.ts';
import { readBudgets } from '#adapters/services/sales-crm/neutral/limits.ts';
import { salesCrmOAuth } from '#adapters/services/sales-crm/neutral/oauth.ts';
import { desiredWebhooks, SalesCrmWebhooks } from '#adapters/services/sales-crm/neutral/webhook-registration.ts';
import { salesCrmWebhookSource } from '#adapters/services/sales-crm/neutral/webhook-source.ts';
import { pipedriveNext } from '#adapters/services/sales-crm/pipedrive/answers.ts';
import { pipedriveChecks } from '#adapters/services/sales-crm/pipedrive/checks.ts';
import { companyDomainOf } from '#adapters/services/sales-crm/pipedrive/company-domain.ts';
import { conversions } from '#adapters/services/sales-crm/pipedrive/conversions.ts';
import { pipedriveGuide } from '#adapters/services/sales-crm/pipedrive/guide.ts';
import { pipedriveBudgets, pipedriveLimitIn } from '#adapters/services/sales-crm/pipedrive/limits.ts';
import { byPassword } from '#adapters/services/sales-crm/pipedrive/proof.ts';
import { pipedriveAddress } from '#adapters/services/sales-crm/pipedrive/record-address.ts';
import { listed, requests } from '#adapters/services/sales-crm/pipedrive/requests.ts';
import { withoutEnd } from '#domain/text/without-end.ts';

/** The address of a connection without a company domain, when none is configured. */
const usualUrl = 'https://api.pipedrive.com';

/** Pipedrive. */
export const pipedrive = defineVendor(salesCrmKind, {
  name: 'pipedrive',
  title: 'Pipedrive',
  listed: () => listed,
  requests: conversions,
  operations: requests,
  otherwise: 'neutral',
  dialect: ({ url }) => ({
    ...shared,
    name: 'pipedrive',
    baseUrl: ({ extra }) => {
      const company = companyDomainOf(extra);
      return url === null ? (company === null ? usualUrl : `https://${company}.pipedrive.com`) : withoutEnd(url, '/');
    },
    credentials: (record) =>
      record.authMethod === 'oauth' ? bearer(record) : { headers: { 'x-api-token': record.accessToken } },
    readSuccess: successReader(pipedriveNext),
    budgets: pipedriveBudgets,
    readBudgets,
    limitIn: pipedriveLimitIn,
  }),
  oauth: ({ authorizeUrl, tokenUrl }) => ({
    ...salesCrmOAuth({
      authorizeUrl: authorizeUrl ?? 'https://oauth.pipedrive.com/oauth/authorize',
      tokenUrl: tokenUrl ?? 'https://oauth.pipedrive.com/oauth/token',
      // An app's scopes are those of its registration.
      scopes: null,
      clientAuthentication: 'basic',
    }),
    revocation: revokedBeside,
    reportsRemoval: true,
  }),
  extra: salesCrmExtra,
  recordAddress: pipedriveAddress,
  webhooks: {
    source: (_, secrets) =>
      salesCrmWebhookSource(secrets, { setting: 'SALES_CRM_WEBHOOK_SECRET (user:password)', proof: byPassword }),
    desired: desiredWebhooks,
    registration: (_, dependencies) => new SalesCrmWebhooks({ ...dependencies, isWhole: true }),
  },
  checks: pipedriveChecks,
  guide: pipedriveGuide,
});
