import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import { givenAddressError } from '#adapters/services/requests/given-address.ts';
import { readSuccess } from '#adapters/services/suite-crm/neutral/answers.ts';
import { isFailure, readError } from '#adapters/services/suite-crm/neutral/errors.ts';
import { concurrency, readBudgets } from '#adapters/services/suite-crm/neutral/limits.ts';
import { dataCenterOf, filledFor } from '#adapters/services/suite-crm/zoho/data-centers.ts';
import { isLoopbackHost } from '#domain/oauth/redirect-uri.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What a vendor's dialect states of its own. */
type SuiteCrmFacts = Readonly<{
  name: string;
  /** What stands before the token. */
  prefix: string;
  /** Whether lists continue by tokens. */
  hasTokens: boolean;
  budgets: NonNullable<Dialect['budgets']>;
  /** The address of a connection that has none of its own; null for none. */
  usualUrl(record: TokenRecord): string | null;
}>;

/** The dialect of a suite CRM. `url` is the address used unless a connection has its own (SUITE_CRM_URL), null for none. */
export function suiteCrmDialect(
  { name, prefix, hasTokens, budgets, usualUrl }: SuiteCrmFacts,
  url: string | null,
): Dialect {
  return {
    name,
    baseUrl: (record) => {
      const base =
        apiDomainOf(record, url) ?? (url === null ? usualUrl(record) : filledFor(url, dataCenterOf(record.extra)));
      return base == null ? null : withoutEnd(base, '/');
    },
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
