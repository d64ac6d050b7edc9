import type { DatabaseKind } from '#infrastructure/database/open-database.ts';

/** The type of a column of given rows. */
type ValueType = 'text' | 'bigint';

/**
 * Writes rows of values as SQL that can be inserted, or compared with `in`. On PostgreSQL each column is one value, an
 * array, so that the text is the same however many rows there are, and is planned once; SQLite has no arrays.
 */
export function rowsOfValues(
  kind: DatabaseKind,
  types: readonly ValueType[],
  rows: readonly (readonly unknown[])[],
): Readonly<{ sql: string; values: unknown[] }> {
  if (kind === 'sqlite') {
    const row = `(${types.map(() => '?').join(', ')})`;
    return { sql: `values ${rows.map(() => row).join(', ')}`, values: rows.flat() };
  }
  const columns = types.map((type) => `cast(? as ${type}[])`);
  const values = types.map((_, column) => rows.map((row) => row[column] ?? null));
  return { sql: `select * from unnest(${columns.join(', ')})`, values };
}
