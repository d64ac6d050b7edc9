import type { Budget, Dialect } from '#adapters/services/definitions/dialect.ts';
import { own } from '#domain/shared/own.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Plan = Readonly<{ concurrency: number; base: number; perUser: number; most: number }>;

/**
 * The limits of each plan: concurrent requests (LIMIT-004), and credits per 24 hours (LIMIT-009). The provider does not
 * publish the credits of Ultimate: those of Enterprise are used.
 */
export const plans: Readonly<Record<string, Plan>> = {
  free: { concurrency: 5, base: 5_000, perUser: 0, most: 5_000 },
  standard: { concurrency: 10, base: 50_000, perUser: 250, most: 100_000 },
  professional: { concurrency: 15, base: 50_000, perUser: 500, most: 3_000_000 },
  enterprise: { concurrency: 20, base: 50_000, perUser: 1_000, most: 5_000_000 },
  ultimate: { concurrency: 25, base: 50_000, perUser: 1_000, most: 5_000_000 },
};

const lowest: Plan = { concurrency: 5, base: 5_000, perUser: 0, most: 5_000 };

/** The plan named in a connection's `extra.plan`, in any case; null for none. */
export function planOf(extra: Readonly<Record<string, unknown>>): Plan | null {
  return own(plans, String(extra['plan']).toLowerCase()) ?? null;
}

/** The maximum number of concurrent requests of a connection, by plan; that of the lowest when it is unknown. */
export const concurrency: NonNullable<Dialect['concurrency']> = ({ extra }) => (planOf(extra) ?? lowest).concurrency;

/**
 * The daily credits, of which a request takes one; their number depends on `extra.users` (1 by default) and the plan,
 * the lowest by default.
 */
export const budgets: NonNullable<Dialect['budgets']> = (_, { extra }) => [
  credits(creditsOf(planOf(extra) ?? lowest, usersIn(extra) ?? 1)),
];

/** The daily credits of a connection. */
export function credits(points: number): Budget {
  return { name: 'credits', points, windowMs: dayMs, cost: 1 };
}

/** The number of credits of a plan with this many users. */
export function creditsOf({ base, perUser, most }: Plan, users: number): number {
  return Math.min(most, base + perUser * users);
}

/** The number of users in a connection's `extra`; null for none. */
export function usersIn({ users }: Readonly<Record<string, unknown>>): number | null {
  return typeof users === 'number' ? users : null;
}

/**
 * Reads the remaining daily credits, and their total, from headers: `X-RATELIMIT-LIMIT` belongs to
 * `X-RATELIMIT-REMAINING`, not to `X-API-CREDITS-REMAINING`. `X-RATELIMIT-RESET` is read as Unix ms, its only known
 * format.
 */
export function readBudgets(answer: HttpAnswer): ReturnType<NonNullable<Dialect['readBudgets']>> {
  const { headers } = answer;
  const limited = countOf(headers['x-ratelimit-remaining']);
  const remaining = limited ?? countOf(headers['x-api-credits-remaining']);
  if (remaining === null) return [];
  const limit = limited === null ? null : countOf(headers['x-ratelimit-limit']);
  return [{ name: 'credits', remaining, resetsInMs: resetsInMs(answer), limit }];
}

/** When `X-RATELIMIT-RESET` says that the credits are there again, in ms from now; null when it does not. */
export function resetsInMs({ headers }: HttpAnswer): number | null {
  const resetsAt = countOf(headers['x-ratelimit-reset']);
  return resetsAt !== null && resetsAt > 1_000_000_000_000 ? Math.max(0, resetsAt - Date.now()) : null;
}

function countOf(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : null;
}
