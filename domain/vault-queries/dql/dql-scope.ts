import type { Link } from '#domain/vault-queries/dql/dql-values.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** Thrown for a query that cannot be evaluated; the message says what and why. */
export class DqlError extends Error {}

/** The scope of an expression: the variables of a note or a task, the members of `file`, and link resolution. */
export type DqlScope = Readonly<{
  variable(name: string): unknown;
  link(target: string): Link;
  now: number;
  budget: WorkBudget;
}>;
