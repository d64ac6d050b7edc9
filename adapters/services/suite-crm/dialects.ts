import type { Dialect } from '#adapters/services/dialect.ts';
import { givenAddressError } from '#adapters/services/given-address.ts';
import { readSuccess } from '#adapters/services/suite-crm/answers.ts';
import { dataCenterOf, dataCenters, filledFor } from '#adapters/services/suite-crm/details/data-centers.ts';
import { isFailure, readError } from '#adapters/services/suite-crm/errors.ts';
import { budgets, concurrency, readBudgets, zohoBudgets } from '#adapters/services/suite-crm/limits.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dialects of the suite CRM: neutral, or the vendor's. */
export type SuiteCrmDialect = 'neutral' | 'zoho';

const facts = {
  neutral: { prefix: 'Suite-oauthtoken', hasTokens: false },
  zoho: { prefix: 'Zoho-oauthtoken', hasTokens: true },
} as const;

/** The facts of a dialect. `url` is the address used unless a connection has its own (SUITE_CRM_URL), null for none. */
export function suiteCrmDialect(name: SuiteCrmDialect, url: string | null): Dialect {
  const { prefix, hasTokens } = facts[name];
  const usual = ({ extra }: TokenRecord) => {
    if (url !== null) return filledFor(url, dataCenterOf(extra));
    return name === 'zoho' ? dataCenters[dataCenterOf(extra)].api : null;
  };
  return {
    name,
    baseUrl: (record) => {
      const base = apiDomainOf(record, url) ?? usual(record);
      return base == null ? null : withoutEnd(base, '/');
    },
    trust: () => true,
    credentials: (record) => ({ headers: { authorization: `${prefix} ${record.accessToken}` } }),
    headers: {},
    mediaTypes: {},
    readError,
    isFailure,
    readSuccess: (answer) => readSuccess(answer, { hasTokens }),
    budgets: name === 'zoho' ? zohoBudgets : budgets,
    concurrency,
    readBudgets,
  };
}

/**
 * The API address from the token response (SUITE-002). It must be https, unless the configured address is not: then
 * plain http is accepted on that same host or on loopback. Any other address is ignored.
 */
function apiDomainOf({ extra }: TokenRecord, url: string | null): string | null {
  const address = extra['api_domain'];
  if (typeof address !== 'string' || givenAddressError(address) !== null) return null;
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:') return address;
  const set = url !== null && URL.canParse(url) ? new URL(url) : null;
  return set?.protocol === 'http:' && (set.hostname === hostname || isLoopbackHost(hostname)) ? address : null;
}
