import { z } from 'zod';
import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import { neutralNext, successReader } from '#adapters/services/sales-crm/neutral/answers.ts';
import { readError } from '#adapters/services/sales-crm/neutral/errors.ts';
import { neutralBudgets, readNeutralBudgets } from '#adapters/services/sales-crm/neutral/limits.ts';
import { withoutEnd } from '#domain/text/without-end.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

const rejection = z.object({ success: z.literal(false) });

/** What the dialects of the sales CRM have in common. */
export const shared = {
  trust: () => true,
  headers: {},
  mediaTypes: {},
  readError,
  isFailure: (_: unknown, body: unknown) => rejection.safeParse(body).success,
} as const;

/** An OAuth token as credentials. */
export const bearer = (record: TokenRecord) => ({ headers: { authorization: `Bearer ${record.accessToken}` } });

/** The neutral dialect; it cannot be used without an address. */
export function neutralDialect(url: string | null): Dialect {
  const base = url === null ? null : withoutEnd(url, '/');
  return {
    ...shared,
    name: 'neutral',
    baseUrl: () => base,
    credentials: (record) =>
      record.authMethod === 'oauth' ? bearer(record) : { query: { api_token: record.accessToken } },
    readSuccess: successReader(neutralNext),
    budgets: neutralBudgets,
    readBudgets: readNeutralBudgets,
  };
}
