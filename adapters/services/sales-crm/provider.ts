import type { Provider } from '#adapters/services/provider.ts';
import { type SalesCrmDialectName, salesCrmDialect } from '#adapters/services/sales-crm/dialect.ts';
import { salesCrmOAuth } from '#adapters/services/sales-crm/oauth.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';

/** What is set for the sales CRM (SALES_CRM_DIALECT, …_URL, …_AUTHORIZE_URL, …_TOKEN_URL); null is not set. */
export type SalesCrmSettings = Readonly<{
  dialect: SalesCrmDialectName;
  url: string | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
}>;

/** The sales CRM, as it was set. */
export function salesCrmProvider({ dialect, url, authorizeUrl, tokenUrl }: SalesCrmSettings): Provider {
  return {
    service: 'sales_crm',
    operations,
    dialect: salesCrmDialect(dialect, url),
    oauth: salesCrmOAuth(dialect, { authorizeUrl, tokenUrl }),
    probe: 'users.me',
    versionPrefixes: ['/api/v2', '/v1'],
    timeoutMs: 30_000,
    maxBytes: 32 * 1024 * 1024,
  };
}
