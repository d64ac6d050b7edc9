import type { LazyFields } from '#domain/vault-queries/dql/lazy-fields.ts';
import type { Link } from '#domain/vault-queries/dql/link.ts';
import type { WorkBudget } from '#domain/vault-queries/work-budget.ts';

/** Thrown for a query that cannot be evaluated; the message says what and why. */
export class DqlError extends Error {}

/** Thrown where an expression has no value for one row. The row is left out; the query fails if this is so for all. */
export class RowError extends Error {}

/** The notes of the vault, as an expression reaches them. */
export type DqlVault = Readonly<{
  /** A link as a query writes it, by the path of the note that it leads to, if there is one. */
  link(inner: string): Link;
  /** The fields of the note at a path; null when there is none. */
  note(path: string): LazyFields | null;
}>;

/** What an expression is evaluated in: the fields of its row, the vault, the time in Unix ms, and the work allowed. */
export type DqlScope = Readonly<{ fields: LazyFields; vault: DqlVault; now: number; budget: WorkBudget }>;
