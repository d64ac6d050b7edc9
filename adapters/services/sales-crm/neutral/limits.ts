import { z } from 'zod';
import type { Budget, Remaining } from '#adapters/services/definitions/dialect.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const dayMs = 86_400_000;
/** The window of bursts, in ms. */
export const burstWindowMs = 2_000;
const baseTokensADay = 30_000;

type Plan = Readonly<{ multiplier: number; burst: number }>;

/** The limits of each plan: its multiplier of the daily tokens, and requests per 2 seconds, 20 to 120 (LIMIT-002). */
const plans: ReadonlyMap<string, Plan> = new Map(
  Object.entries({
    essential: { multiplier: 1, burst: 20 },
    lite: { multiplier: 1, burst: 20 },
    advanced: { multiplier: 2, burst: 40 },
    growth: { multiplier: 2, burst: 40 },
    professional: { multiplier: 3, burst: 80 },
    premium: { multiplier: 5, burst: 80 },
    power: { multiplier: 5, burst: 100 },
    enterprise: { multiplier: 7, burst: 120 },
    ultimate: { multiplier: 7, burst: 120 },
  }),
);
/** The plans that a connection can name in `extra.plan`. */
export const planNames = [
  'lite',
  'growth',
  'premium',
  'essential',
  'advanced',
  'professional',
  'power',
  'enterprise',
  'ultimate',
] as const;

const lowest: Plan = { multiplier: 1, burst: 20 };

/** The members of `extra` that affect limits, the plan's name and the company's number of seats; null when unknown. */
export const extraSchema = z.object({
  plan: z
    .string()
    .transform((name) => plans.get(name.toLowerCase()) ?? null)
    .catch(null),
  seats: z.int().min(1).max(100_000).nullable().catch(null),
});

/** The token costs of v2 calls; the same call in v1 costs twice as much (LIMIT-008). */
const costs = { one: 1, list: 10, smallList: 5, write: 5, remove: 3, search: 20, merge: 40 } as const;

/** The tokens of the daily budget that a call costs. */
export function tokenCost(row: RequestRow): number {
  if (/\/merge$|\/convert\/deal$/.test(row.path)) return costs.merge;
  if (isSearch(row)) return costs.search;
  const base = baseCost(row);
  return row.path.startsWith('/v1/') ? base * 2 : base;
}

function baseCost({ method, path }: RequestRow): number {
  if (method === 'DELETE') return costs.remove;
  if (method !== 'GET') return costs.write;
  if (/\/(pipelines|stages)$/.test(path)) return costs.smallList;
  return /^\/api\/v2\/\w+\/\{id\}$|\/users\/me$/.test(path) ? costs.one : costs.list;
}

/** Whether the row is a search. */
export function isSearch({ path }: RequestRow): boolean {
  return /\/search$|\/itemSearch$/.test(path);
}

/**
 * The budgets of the neutral dialect (LIMIT-002): tokens a day by plan and seats, and bursts of 2 seconds. An unknown
 * plan counts as the lowest, with one seat.
 */
export function neutralBudgets(row: RequestRow, record: TokenRecord): readonly Budget[] {
  const { plan, seats } = extraSchema.parse(record.extra);
  return [burstOf(plan, 1), dailyTokens(row, plan ?? lowest, seats ?? 1), dailyRequests];
}

/** The burst of 2 seconds of a plan; that of the lowest when it is unknown. */
export function burstOf(plan: Plan | null, factor: number): Budget {
  return { name: 'burst', points: (plan ?? lowest).burst * factor, windowMs: burstWindowMs, cost: 1 };
}

/** The daily tokens of a plan and these seats, of which the row takes its cost. */
export function dailyTokens(row: RequestRow, { multiplier }: Plan, seats: number): Budget {
  const points = baseTokensADay * multiplier * seats;
  return { name: 'daily_tokens', points, windowMs: dayMs, cost: tokenCost(row) };
}

/**
 * The number of daily requests is undocumented: the limit is set out of reach until the provider's header reports what
 * is left.
 */
export const dailyRequests: Budget = { name: 'daily_requests', points: 1_000_000, windowMs: dayMs, cost: 1 };

/**
 * Reads the remaining budgets from headers: `X-RateLimit-Remaining` of the burst, `X-Daily-Requests-Left` until
 * midnight UTC.
 */
export function readBudgets({ headers }: Pick<HttpAnswer, 'headers'>): readonly Remaining[] {
  const burst = count(headers['x-ratelimit-remaining']);
  const daily = count(headers['x-daily-requests-left']);
  const limit = count(headers['x-ratelimit-limit']);
  const resetS = count(headers['x-ratelimit-reset']);
  return [
    ...(burst === null
      ? []
      : [{ name: 'burst', remaining: burst, resetsInMs: resetS === null ? null : resetS * 1000, limit }]),
    ...(daily === null ? [] : [{ name: 'daily_requests', remaining: daily, resetsInMs: dayMs - (Date.now() % dayMs) }]),
  ];
}

/**
 * The same for the neutral dialect, where each request costs at least one daily token: a company on an unknown plan may
 * have more tokens than the lowest plan, and has at least as many as requests left.
 */
export function readNeutralBudgets(answer: Pick<HttpAnswer, 'headers'>): readonly Remaining[] {
  const extraSchema = readBudgets(answer);
  const daily = extraSchema.find(({ name }) => name === 'daily_requests');
  return daily === undefined ? extraSchema : [...extraSchema, { ...daily, name: 'daily_tokens', isAtLeast: true }];
}

function count(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : null;
}
