import type { Dialect } from '#adapters/services/definitions/dialect.ts';
import {
  credits,
  creditsOf,
  planOf,
  plans,
  readBudgets,
  resetsInMs,
  usersIn,
} from '#adapters/services/suite-crm/neutral/limits.ts';
import type { HttpAnswer, ReportedLimit } from '#infrastructure/http/http-messages.ts';

/**
 * The vendor's credits: out of reach while plan or users are unknown, since its headers report only what is left, from
 * half of the credits on (LIMIT-014).
 */
export const zohoBudgets: NonNullable<Dialect['budgets']> = (_, { extra }) => {
  const plan = planOf(extra);
  const users = plan?.perUser === 0 ? 1 : usersIn(extra);
  return [credits(plan === null || users === null ? mostCredits : creditsOf(plan, users))];
};

/** The credits of the highest plan. */
const mostCredits = Math.max(...Object.values(plans).map(({ most }) => most));

/**
 * The rate limit that a 429 reports. The wait is until the credits are there again, unless some are left: then the limit
 * is on concurrent requests, whose wait nobody states.
 */
export function zohoLimitIn(answer: HttpAnswer): ReportedLimit | null {
  if (answer.status !== 429) return null;
  const [credits] = readBudgets(answer);
  if (credits !== undefined && credits.remaining > 0) return { retryAfterMs: null };
  return { retryAfterMs: resetsInMs(answer) };
}
