import type { Dialect } from '#adapters/services/dialect.ts';
import { dataCenterOf, dataCenters, filledFor } from '#adapters/services/suite-crm/data-centers.ts';
import { isFailure, readError } from '#adapters/services/suite-crm/errors.ts';
import { budgets, concurrency, readBudgets } from '#adapters/services/suite-crm/limits.ts';
import { readSuccess } from '#adapters/services/suite-crm/success.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The two ways to speak to a suite CRM: the contract's words, or the provider's own. */
export type SuiteCrmDialect = 'neutral' | 'zoho';

const facts = {
  neutral: { isOwn: false, prefix: 'Suite-oauthtoken', hasTokens: false },
  zoho: { isOwn: true, prefix: 'Zoho-oauthtoken', hasTokens: true },
} as const;

/** The facts of a dialect. `url` is where requests go when a connection does not know better (SUITE_CRM_URL), null for none. */
export function suiteCrmDialect(name: SuiteCrmDialect, url: string | null): Dialect {
  const { isOwn, prefix, hasTokens } = facts[name];
  const usual = ({ extra }: TokenRecord) => {
    if (url !== null) return filledFor(url, dataCenterOf(extra));
    return isOwn ? dataCenters[dataCenterOf(extra)].api : null;
  };
  return {
    name,
    isOwn,
    baseUrl: (record) => (apiDomainOf(record, url) ?? usual(record))?.replace(/\/+$/, '') ?? null,
    trust: () => true,
    credentials: (record) => ({ headers: { authorization: `${prefix} ${record.accessToken}` } }),
    headers: {},
    mediaTypes: {},
    readError,
    isFailure,
    readSuccess: (answer) => readSuccess(answer, { hasTokens }),
    budgets,
    concurrency,
    readBudgets,
  };
}

/**
 * The address that the token answer gave (contract: `api_domain`, used for all calls). A token travels in the clear to one's own
 * machine or to the address that was set, and nowhere else: another plain http address is passed over.
 */
function apiDomainOf({ extra }: TokenRecord, url: string | null): string | null {
  const address = extra['api_domain'];
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  const { protocol, hostname, host } = new URL(address);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isSet = url !== null && URL.canParse(url) && new URL(url).host === host;
  return protocol === 'https:' || (protocol === 'http:' && (isLocal || isSet)) ? address : null;
}
