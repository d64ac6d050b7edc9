import { z } from 'zod';
import { counted } from '#adapters/services/counted.ts';
import type { Provider } from '#adapters/services/provider.ts';
import { hostLabel } from '#adapters/services/sales-crm/details/company-domain.ts';
import { type SalesCrmDialectName, salesCrmDialect } from '#adapters/services/sales-crm/dialects.ts';
import { planNames } from '#adapters/services/sales-crm/limits.ts';
import { SalesCrmNames } from '#adapters/services/sales-crm/names.ts';
import { salesCrmOAuth } from '#adapters/services/sales-crm/oauth.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';

/** What is set for the sales CRM (SALES_CRM_DIALECT, …_URL, …_AUTHORIZE_URL, …_TOKEN_URL); null is not set. */
export type SalesCrmSettings = Readonly<{
  dialect: SalesCrmDialectName;
  url: string | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
}>;

/** What a connection keeps in `extra`; the plan and the seats raise the limits kept on our side. */
const salesCrmExtra = z.object({
  company_domain: z.string().regex(hostLabel, { error: 'must be the name before the first dot: acme' }).optional(),
  plan: z.enum(planNames, { error: `must be one of ${planNames.join(', ')}` }).optional(),
  seats: counted.optional(),
});

/** The sales CRM, as it was set. */
export function salesCrmProvider({ dialect, url, authorizeUrl, tokenUrl }: SalesCrmSettings): Provider {
  const names = new SalesCrmNames();
  return {
    service: 'sales_crm',
    vendor: dialect === 'pipedrive' ? 'Pipedrive' : null,
    operations,
    dialect: salesCrmDialect(dialect, url),
    oauth: salesCrmOAuth(dialect, { authorizeUrl, tokenUrl }),
    extra: salesCrmExtra,
    probe: 'users.me',
    resolveNames: (named, inputs, lookUp) => names.resolve(named, inputs, lookUp),
    versionPrefixes: ['/api/v2', '/v1'],
    timeoutMs: 30_000,
    maxBytes: 32 * 1024 * 1024,
  };
}
