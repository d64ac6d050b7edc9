import type { Dialect } from '#adapters/services/dialect.ts';
import { credits, creditsOf, planOf, plans, usersIn } from '#adapters/services/suite-crm/neutral/limits.ts';

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
