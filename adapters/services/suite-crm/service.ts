import { z } from 'zod';
import { counted } from '#adapters/services/counted.ts';
import type { Provider } from '#adapters/services/provider.ts';
import { dataCenterNames, dataCenterOfApi } from '#adapters/services/suite-crm/details/data-centers.ts';
import { type SuiteCrmDialect, suiteCrmDialect } from '#adapters/services/suite-crm/dialects.ts';
import { type SuiteCrmAddresses, suiteCrmOAuth } from '#adapters/services/suite-crm/oauth.ts';
import { operations } from '#adapters/services/suite-crm/operations.ts';

/** What the environment sets of the suite CRM; every address null when it is not set. */
export type SuiteCrmSettings = Readonly<{ dialect: SuiteCrmDialect }> & SuiteCrmAddresses;

/** The suite CRM, in the dialect that was set. */
export function suiteCrmProvider({ dialect, url, authorizeUrl, tokenUrl }: SuiteCrmSettings): Provider {
  return {
    service: 'suite_crm',
    vendor: dialect === 'zoho' ? 'Zoho' : null,
    operations,
    dialect: suiteCrmDialect(dialect, url),
    oauth: suiteCrmOAuth(dialect, { url, authorizeUrl, tokenUrl }),
    extra: extraOf(url),
    probe: 'users.list',
    versionPrefixes: ['/crm/v8'],
    timeoutMs: 60_000,
    maxBytes: 64 * 1024 * 1024,
  };
}

/** What a user may say of a connection by hand. Its address is one of the provider's own, or the one that was set. */
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
