import type { Database } from '#infrastructure/database/open-database.ts';
import { type Row, sqlName } from '#infrastructure/database/snapshot.ts';

/** The data to load into the tables of an empty database. */
export type Loading = Readonly<{
  tables: readonly string[];
  lastIds: Readonly<Record<string, number>>;
  rows(table: string): AsyncIterable<readonly Row[]>;
}>;

/**
 * Loads a snapshot's rows, of either kind of database, into empty tables in one transaction. Returns the number of
 * rows.
 */
export async function loadRows({ em, kind }: Database, { tables, lastIds, rows }: Loading): Promise<number> {
  return em.fork().transactional(async (transaction) => {
    let loaded = 0;
    for (const table of tables) {
      for await (const page of rows(table)) {
        for (const row of page) {
          const columns = Object.keys(row);
          const sql = `insert into ${sqlName(table)} (${columns.map(sqlName).join(', ')}) values (${columns.map(() => '?').join(', ')})`;
          await transaction.execute(
            sql,
            columns.map((column) => valueFor(kind, row[column])),
          );
        }
        loaded += page.length;
      }
      const last = Object.hasOwn(lastIds, table) ? lastIds[table] : undefined;
      if (last !== undefined) await continueAfter(transaction, kind, table, last);
    }
    return loaded;
  });
}

/** SQLite has no booleans; PostgreSQL reads '1' as one. */
function valueFor(kind: Database['kind'], value: Row[string] | undefined): string | number | null {
  if (value === undefined || value === null) return null;
  const plain = typeof value === 'boolean' ? Number(value) : value;
  return kind === 'sqlite' ? plain : String(plain);
}

/** Advances the id sequence past the last id assigned in the snapshot, so that ids of deleted rows are not reused. */
async function continueAfter(
  em: Pick<Database['em'], 'execute'>,
  kind: Database['kind'],
  table: string,
  last: number,
): Promise<void> {
  if (kind === 'sqlite') {
    await em.execute('delete from sqlite_sequence where name = ?', [table]);
    await em.execute('insert into sqlite_sequence (name, seq) values (?, ?)', [table, last]);
    return;
  }
  const [column] = await em.execute<{ name: string }[]>(
    'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = ? and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null',
    [table],
  );
  if (column === undefined) return;
  await em.execute('select setval(pg_get_serial_sequence(quote_ident(?), ?), ?)', [table, column.name, last]);
}
