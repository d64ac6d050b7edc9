import type { Budget, Dialect } from '#adapters/services/dialect.ts';
import { own } from '#domain/shared/own.ts';
import type { HttpAnswer } from '#infrastructure/http/http-messages.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Plan = Readonly<{ concurrency: number; base: number; perUser: number; most: number }>;

/**
 * What each plan allows: requests at once (LIMIT-004), and credits in 24 hours (LIMIT-009). The provider tells no credits of
 * Ultimate: those of Enterprise are taken.
 */
const plans: Readonly<Record<string, Plan>> = {
  free: { concurrency: 5, base: 5_000, perUser: 0, most: 5_000 },
  standard: { concurrency: 10, base: 50_000, perUser: 250, most: 100_000 },
  professional: { concurrency: 15, base: 50_000, perUser: 500, most: 3_000_000 },
  enterprise: { concurrency: 20, base: 50_000, perUser: 1_000, most: 5_000_000 },
  ultimate: { concurrency: 25, base: 50_000, perUser: 1_000, most: 5_000_000 },
};

const lowest: Plan = { concurrency: 5, base: 5_000, perUser: 0, most: 5_000 };

/** The plan that a connection's `extra.plan` names, in any case; the lowest when it names none. */
function planOf(extra: Readonly<Record<string, unknown>>): Plan {
  return own(plans, String(extra['plan']).toLowerCase()) ?? lowest;
}

/** How many requests of one connection run at once, by plan. */
export const concurrency: NonNullable<Dialect['concurrency']> = ({ extra }) => planOf(extra).concurrency;

/** A request takes one credit of the day's, of which `extra.users` (1 when not given) and the plan say how many there are. */
export const budgets: NonNullable<Dialect['budgets']> = (_, { extra }): readonly Budget[] => {
  const { base, perUser, most } = planOf(extra);
  const users = typeof extra['users'] === 'number' ? extra['users'] : 1;
  return [{ name: 'credits', points: Math.min(most, base + perUser * users), windowMs: dayMs, cost: 1 }];
};

/**
 * What the headers say is left of the day's credits, and of how many: `X-RATELIMIT-LIMIT` belongs to `X-RATELIMIT-REMAINING`
 * and says nothing of `X-API-CREDITS-REMAINING`. `X-RATELIMIT-RESET` is read as Unix ms, the only form that it is known in.
 */
export function readBudgets({ headers }: HttpAnswer): ReturnType<NonNullable<Dialect['readBudgets']>> {
  const limited = countOf(headers['x-ratelimit-remaining']);
  const remaining = limited ?? countOf(headers['x-api-credits-remaining']);
  if (remaining === null) return [];
  const limit = limited === null ? null : countOf(headers['x-ratelimit-limit']);
  const resetsAt = countOf(headers['x-ratelimit-reset']);
  const isTime = resetsAt !== null && resetsAt > 1_000_000_000_000;
  return [{ name: 'credits', remaining, resetsInMs: isTime ? Math.max(0, resetsAt - Date.now()) : null, limit }];
}

function countOf(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : null;
}
