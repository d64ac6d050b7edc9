import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from '#infrastructure/database/open-database.ts';

/** What `npm run statistics` writes. */
export const statisticsPath = 'test/support/persistence/grown-statistics.json';

/** The rows of `sqlite_stat1`. */
export const sqliteStatistics = z.array(z.object({ tbl: z.string(), idx: z.string().nullable(), stat: z.string() }));

/** What `pg_class` and `pg_stats` say of tables and indexes, and of columns. */
export const postgresStatistics = z.object({
  relations: z.array(z.object({ name: z.string(), relpages: z.number(), reltuples: z.number() })),
  attributes: z.array(
    z.object({
      table: z.string(),
      attribute: z.string(),
      null_frac: z.number(),
      avg_width: z.number(),
      n_distinct: z.number(),
      most_common_vals: z.string().nullable(),
      most_common_freqs: z.string().nullable(),
      histogram_bounds: z.string().nullable(),
      correlation: z.number().nullable(),
    }),
  ),
});

const statisticsSchema = z.object({ sqlite: sqliteStatistics, postgres: postgresStatistics });

/** What the planners of both databases count of a database that is a year old. */
export type GrownStatistics = z.infer<typeof statisticsSchema>;

const grown = (): GrownStatistics => statisticsSchema.parse(JSON.parse(readFileSync(statisticsPath, 'utf8')));

/** Has an empty SQLite file plan as the one of a year: the next connection reads `sqlite_stat1`. */
export async function plantInSqlite({ em }: Database): Promise<void> {
  const ask = (sql: string, values: (string | null)[] = []): Promise<unknown> => em.fork().execute(sql, values);
  await ask('analyze');
  await ask('delete from sqlite_stat1');
  for (const { tbl, idx, stat } of grown().sqlite) {
    await ask('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)', [tbl, idx, stat]);
  }
  await ask('analyze sqlite_schema');
}

const columnRows = z.array(z.object({ table_name: z.string(), column_name: z.string(), data_type: z.string() }));
const versionRows = z.array(z.object({ version: z.coerce.number() }));

/** Text that is the same in SQL, null included. */
const literal = (value: string | number | null): string =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`;

/** Whoever reads a table of fewer rows reads little. */
const minLarge = 1_000;

/**
 * Has an empty PostgreSQL plan as one with a tenth of a year, and returns its large tables; null before release 18, which cannot be
 * given statistics. The tables get a page each, since in none there are no rows whatever the statistics say; its rows are never committed.
 */
export async function plantInPostgres({ em }: Database): Promise<ReadonlySet<string> | null> {
  const ask = (sql: string): Promise<unknown> => em.fork().execute(sql);
  const [server] = versionRows.parse(await ask("select current_setting('server_version_num') as version"));
  if ((server?.version ?? 0) < 180_000) return null;
  const { relations, attributes } = grown().postgres;
  const columns = columnRows.parse(
    await ask(
      'select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()',
    ),
  );
  const known = new Set(relations.map(({ name }) => name));
  const tables = [...Map.groupBy(columns, ({ table_name }) => table_name)].filter(([table]) => known.has(table));
  // Pages of indexes that rows of before have left would be charged to plans, and of tables only until they are vacuumed.
  await ask(`truncate ${tables.map(([table]) => table).join(', ')} cascade`);
  for (const [table, all] of tables) {
    // The server would count what is there, a minute after it has changed.
    await ask(`alter table ${table} set (autovacuum_enabled = false)`);
    await addPage({ em }, table, all);
  }
  for (const { name, reltuples } of relations) {
    await ask(`select pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', relname::text,
        'relpages', (pg_relation_size(oid) / 8192)::integer, 'reltuples', ${reltuples}::real)
      from pg_class where relname = ${literal(name)} and relnamespace = current_schema()::regnamespace`);
  }
  // What the server counted of rows of before would stay wherever nothing is given instead: that all are of one user, for one.
  await ask(`select pg_clear_attribute_stats(schemaname, tablename, attname, inherited) from pg_stats
    where schemaname = current_schema()`);
  for (const one of attributes) {
    await ask(`select pg_restore_attribute_stats('schemaname', current_schema()::text, 'relname', ${literal(one.table)}::text, 'attname', ${literal(one.attribute)}::text,
      'inherited', false, 'null_frac', ${one.null_frac}::real, 'avg_width', ${one.avg_width}::integer, 'n_distinct', ${one.n_distinct}::real,
      'most_common_vals', ${literal(one.most_common_vals)}::text, 'most_common_freqs', ${literal(one.most_common_freqs)}::real[],
      'histogram_bounds', ${literal(one.histogram_bounds)}::text, 'correlation', ${literal(one.correlation)}::real)`);
  }
  return new Set(relations.filter(({ reltuples }) => reltuples > minLarge).map(({ name }) => name));
}

async function addPage(
  { em }: Pick<Database, 'em'>,
  table: string,
  columns: z.infer<typeof columnRows>,
): Promise<void> {
  const values = columns.map(({ data_type }) =>
    data_type === 'text' ? 'md5(random()::text)' : data_type === 'boolean' ? 'false' : '-floor(random() * 1e9)',
  );
  const names = columns.map(({ column_name }) => `"${column_name}"`);
  const transaction = em.fork();
  await transaction.begin();
  try {
    await transaction.execute(
      `insert into ${table} (${names.join(', ')}) overriding system value values (${values.join(', ')})`,
    );
  } finally {
    await transaction.rollback();
  }
}
