import type { Budget } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import {
  burstOf,
  burstWindowMs,
  dailyRequests,
  dailyTokens,
  extraSchema,
  isSearch,
  readBudgets,
} from '#adapters/services/sales-crm/neutral/limits.ts';
import { companyDomainOf } from '#adapters/services/sales-crm/pipedrive/company-domain.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/** The provider allows OAuth clients four times the burst of a personal token. */
const oauthBurstFactor = 4;
const searchesPerWindow = 10;

/**
 * The vendor's budgets: OAuth has wider bursts, searches have a budget of their own, and daily requests count only POST
 * and PUT. The daily tokens are the company's. They are enforced only where plan and seats are known (LIMIT-013): no
 * header would correct an assumption.
 */
export function pipedriveBudgets(row: RequestRow, record: TokenRecord): readonly Budget[] {
  const { plan, seats } = extraSchema.parse(record.extra);
  const company = companyDomainOf(record.extra);
  const sharing = company === null ? {} : { sharedBy: `company:${company.toLowerCase()}:${record.service}` };
  return [
    burstOf(plan, record.authMethod === 'oauth' ? oauthBurstFactor : 1),
    ...(plan === null || seats === null ? [] : [{ ...dailyTokens(row, plan, seats), ...sharing }]),
    ...(isSearch(row) ? [{ name: 'search', points: searchesPerWindow, windowMs: burstWindowMs, cost: 1 }] : []),
    ...(row.method === 'POST' || row.method === 'PUT' ? [dailyRequests] : []),
  ];
}

/** The maximum wait for a budget that no header reports, in ms: it is there again at midnight, wherever that is. */
const dailyWaitMs = 3_600_000;

/**
 * The rate limit that a 429 reports. Of the burst, the wait is its reset. Otherwise a daily budget is used up: the
 * requests, until midnight UTC, or the tokens, which no header reports.
 */
export function pipedriveLimitIn(answer: HttpAnswer): ReportedLimit | null {
  if (answer.status !== 429) return null;
  const budgets = readBudgets(answer);
  const daily = budgets.find(({ name }) => name === 'daily_requests');
  const burst = budgets.find(({ name }) => name === 'burst');
  if (daily?.remaining === 0) return { retryAfterMs: daily.resetsInMs };
  if (burst !== undefined && burst.remaining > 0) return { retryAfterMs: dailyWaitMs };
  const resetS = /^\d{1,6}$/.exec(answer.headers['x-ratelimit-reset'] ?? '')?.[0];
  return { retryAfterMs: resetS === undefined ? null : Number(resetS) * 1000 };
}
