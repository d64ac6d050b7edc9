import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** After how many uses a statement is prepared, and how many are: each connection keeps the plans of all. */
const bounds = { uses: 20, statements: 40 } as const;

/**
 * The names of prepared statements: planning those of a delivery takes PostgreSQL about as long as executing them. Only
 * texts that recur are named, since those of batches differ by the number of their items. A name is derived from its
 * text, so that behind a pooler no connection has another statement of the same name.
 */
export class PreparedNames {
  readonly #uses = new LRUCache<string, number>({ max: 500 });
  readonly #names = new Map<string, string>();
  #isDisabled = false;

  /** Notes a use of the statement; returns its name, or null while it is not to be prepared. */
  nameOf(sql: string): string | null {
    if (this.#isDisabled) return null;
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    if (this.#names.size >= bounds.statements) return null;
    const uses = (this.#uses.get(sql) ?? 0) + 1;
    this.#uses.set(sql, uses);
    if (uses < bounds.uses) return null;
    const name = `portolan_${hash('sha256', sql).slice(0, 32)}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Names no more statements. */
  disable(): void {
    this.#isDisabled = true;
  }
}

/**
 * The SQLSTATE codes of a prepared statement that a connection does not have, or has already, and of one whose columns
 * have changed (PostgreSQL, Appendix A).
 */
const codes: readonly string[] = ['26000', '42P05', '0A000'];

/** Whether a statement failed because it was a prepared one. */
export function isOfPrepared(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
