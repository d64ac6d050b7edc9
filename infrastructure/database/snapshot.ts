import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** A row as JSON, by column name. Booleans are booleans from PostgreSQL, and 0 or 1 from SQLite. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A consistent view of a database at one moment, unaffected by concurrent writes. */
export type Snapshot = Readonly<{
  /** The names of the schema changes that ran, in order. */
  migrations: readonly string[];
  /** The tables in creation order, except the one of the schema changes. */
  tables: readonly string[];
  /** The highest id assigned in each table with generated ids, so that ids of deleted rows are not reused. */
  lastIds: Readonly<Record<string, number>>;
  /** A table's rows, in pages. */
  rows(table: string): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}>;

const pageRows = 500;
const names = z.array(z.object({ name: z.string() })).transform((rows) => rows.map(({ name }) => name));
const pages = z.array(z.object({ row: z.record(z.string(), z.unknown()) }));
const ids = z.array(z.object({ name: z.string(), last: z.coerce.number().nullable().catch(null) }));

/** Selects the names of all tables, in creation order. */
export const tablesSql: Readonly<Record<'sqlite' | 'postgres', string>> = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid",
  postgres: `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema() order by c.oid`,
};

/** Selects the names of the schema changes that ran, in order. */
export const migrationsSql = 'select name from migrations order by id';

/** Quotes an SQL identifier. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Opens a snapshot of a database without blocking writers; null when the database does not exist. Takes the URLs of
 * `openDatabase`.
 */
export async function openSnapshot(url: string): Promise<Snapshot | null> {
  return url.startsWith('sqlite:') ? ofSqlite(url.slice('sqlite:'.length)) : ofPostgres(url);
}

function ofSqlite(path: string): Snapshot | null {
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(pathToFileURL(path), { readOnly: true, timeout: 5_000 });
  // In WAL mode a read transaction is a consistent snapshot and does not block writers.
  database.exec('begin');
  const all = (sql: string): unknown => database.prepare(sql).all();
  const tables = names.parse(all(tablesSql.sqlite));
  return {
    migrations: tables.includes('migrations') ? names.parse(all(migrationsSql)) : [],
    tables: tables.filter((name) => name !== 'migrations'),
    lastIds: byName(ids.parse(all("select name, seq as last from sqlite_sequence where name <> 'migrations'"))),
    async *rows(table) {
      let page: Row[] = [];
      const reading = database.prepare(`select * from ${sqlName(table)}`);
      reading.setReadBigInts(true);
      for (const found of reading.iterate()) {
        page.push(rowOf(found));
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    close: async () => database.close(),
  };
}

async function ofPostgres(url: string): Promise<Snapshot | null> {
  const { IsolationLevel, MikroORM } = await import('@mikro-orm/postgresql');
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  const em = orm.em.fork();
  const close = async () => {
    // Closing the pool waits for the transaction's connection.
    await em.rollback().catch(() => undefined);
    await orm.close(true);
  };
  try {
    await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
    const all = (sql: string): Promise<unknown> => em.execute(sql);
    const tables = names.parse(await all(tablesSql.postgres));
    if (!tables.includes('migrations')) {
      await close();
      return null;
    }
    const lastIds = await all(`select c.table_name as name, s.last_value as last
      from information_schema.columns c join pg_sequences s on s.schemaname = current_schema()
        and pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) = quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename)
      where c.table_schema = current_schema() and c.table_name <> 'migrations'`);
    return {
      migrations: names.parse(await all(migrationsSql)),
      tables: tables.filter((name) => name !== 'migrations'),
      lastIds: byName(ids.parse(lastIds)),
      async *rows(table) {
        await all(`declare page no scroll cursor for select row_to_json(t) as row from ${sqlName(table)} t`);
        for (;;) {
          const fetched = pages.parse(await all(`fetch ${pageRows} from page`));
          if (fetched.length === 0) break;
          yield fetched.map((one) => rowOf(one.row));
        }
        await all('close page');
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function byName(found: z.output<typeof ids>): Readonly<Record<string, number>> {
  return Object.fromEntries(found.flatMap(({ name, last }) => (last === null ? [] : [[name, last]])));
}

function rowOf(found: object): Row {
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plainOf(value)]));
}

/** Integers beyond those of JSON, and bytes where texts belong, become texts: this program stores neither. */
function plainOf(value: unknown): Row[string] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return null;
}
