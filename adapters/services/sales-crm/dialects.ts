import { z } from 'zod';
import type { Dialect } from '#adapters/services/dialect.ts';
import { neutralNext, pipedriveNext, successReader } from '#adapters/services/sales-crm/answers.ts';
import { companyDomainOf } from '#adapters/services/sales-crm/details/company-domain.ts';
import { readError } from '#adapters/services/sales-crm/errors.ts';
import {
  neutralBudgets,
  pipedriveBudgets,
  readBudgets,
  readNeutralBudgets,
} from '#adapters/services/sales-crm/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dialects of the sales CRM. */
export type SalesCrmDialectName = 'neutral' | 'pipedrive';

/** The provider's address when none is configured and the connection has no company domain. */
const pipedriveUrl = 'https://api.pipedrive.com';

const rejection = z.object({ success: z.literal(false) });

const shared = {
  trust: () => true,
  headers: {},
  mediaTypes: {},
  readError,
  isFailure: (_: unknown, body: unknown) => rejection.safeParse(body).success,
} as const;

const bearer = (record: TokenRecord) => ({ headers: { authorization: `Bearer ${record.accessToken}` } });

/** The facts of a dialect. `url` is the configured address; the neutral dialect cannot be used without one. */
export function salesCrmDialect(name: SalesCrmDialectName, url: string | null): Dialect {
  const base = url === null ? null : withoutEnd(url, '/');
  if (name === 'neutral') {
    return {
      ...shared,
      name,
      baseUrl: () => base,
      credentials: (record) =>
        record.authMethod === 'oauth' ? bearer(record) : { query: { api_token: record.accessToken } },
      readSuccess: successReader(neutralNext),
      budgets: neutralBudgets,
      readBudgets: readNeutralBudgets,
    };
  }
  return {
    ...shared,
    name,
    baseUrl: ({ extra }) => {
      const company = companyDomainOf(extra);
      return base ?? (company === null ? pipedriveUrl : `https://${company}.pipedrive.com`);
    },
    credentials: (record) =>
      record.authMethod === 'oauth' ? bearer(record) : { headers: { 'x-api-token': record.accessToken } },
    readSuccess: successReader(pipedriveNext),
    budgets: pipedriveBudgets,
    readBudgets,
  };
}
