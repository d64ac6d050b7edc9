import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { openSqliteFile } from '#infrastructure/database/sqlite-file.ts';
import { grownSqlite, growPostgres } from '#test/bench/growth/grown.ts';
import { grownSize } from '#test/bench/growth/size.ts';
import { gridTable } from '#test/bench/tables.ts';
import {
  type GrownStatistics,
  postgresStatistics,
  sqliteStatistics,
  statisticsPath,
} from '#test/support/persistence/grown-statistics.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

/*
 * `npm run statistics`: fills both databases as the growth bench does, SQLite with a year and PostgreSQL with a tenth of it, and keeps what
 * their planners count (sqlite_stat1, pg_class, pg_stats) for the test that explains every statement. Prints the size of each table
 * and index besides. `--scale 0.1` fills them with a tenth of that.
 */
const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' } } });
const scale = Number(values.scale);
const sizeRows = z.array(z.object({ name: z.string(), of: z.string(), bytes: z.coerce.number() }));

const sqlite = await ofSqlite();
const postgres = await ofPostgres();
await writeFile(statisticsPath, `${JSON.stringify({ sqlite, postgres }, null, 1)}\n`);

async function ofSqlite(): Promise<GrownStatistics['sqlite']> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-statistics-'));
  const path = join(folder, 'portolan.sqlite');
  await grownSqlite(path, grownSize(scale));
  const file = openSqliteFile(path);
  file.pragma('synchronous = off');
  file.exec('analyze');
  const found = file.prepare("select tbl, idx, stat from sqlite_stat1 where tbl <> 'migrations' order by 1, 2").all();
  const sizes = file.prepare(
    `select s.name, m.tbl_name as "of", sum(s.pgsize) as bytes from dbstat s join sqlite_master m on m.name = s.name
     where s.aggregate = true group by 1, 2 order by bytes desc`,
  );
  show('SQLite', sizes.all());
  file.close();
  await rm(folder, { recursive: true });
  return sqliteStatistics.parse(found);
}

async function ofPostgres(): Promise<GrownStatistics['postgres']> {
  const server = await startEmbeddedPostgres();
  await growPostgres(server.url, grownSize(scale / 10));
  const database = await openDatabase({ url: server.url, entities, migrations, maxQueryMs: 600_000 });
  const all = (sql: string): Promise<unknown> => database.em.fork().execute(sql);
  // Few values of each column: the plans do not depend on more.
  await database.em.fork().transactional(async (em) => {
    await em.execute('set local default_statistics_target = 10');
    await em.execute('analyze');
  });
  show(
    'PostgreSQL',
    await all(`select c.relname as name, coalesce(t.relname, c.relname) as of, pg_relation_size(c.oid) as bytes
      from pg_class c left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') order by 3 desc`),
  );
  const relations = await all(`select relname as name, relpages, reltuples from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and relname not like 'migrations%' order by 1`);
  const attributes =
    await all(`select tablename as "table", attname as attribute, null_frac::float8, avg_width, n_distinct::float8,
      most_common_vals::text, most_common_freqs::text, histogram_bounds::text, correlation::float8
    from pg_stats where schemaname = 'public' and tablename <> 'migrations' order by 1, 2`);
  await database.close();
  await server.stop();
  return postgresStatistics.parse({ relations, attributes });
}

function show(database: string, found: unknown): void {
  const lines = sizeRows
    .parse(found)
    .filter(({ bytes }) => bytes > 1_000_000)
    .map(({ name, of, bytes }) => [of, name === of ? 'the rows' : name, `${(bytes / 1_000_000).toFixed(0)} MB`]);
  process.stdout.write(`${gridTable({ head: ['table', `of ${database}`, 'size'], lines })}\n`);
}
