import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** A row as JSON: its columns by name. A yes or no is a boolean in PostgreSQL, and 0 or 1 in SQLite. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** What a database holds at one moment, whatever is written meanwhile. */
export type Snapshot = Readonly<{
  /** The names of the schema changes that ran, in their order. */
  migrations: readonly string[];
  /** The tables, without that of the schema changes, in the order in which they were made. */
  tables: readonly string[];
  /** The highest id that each table with numbers of its own has given: it is not given again, though its row may be gone. */
  lastIds: Readonly<Record<string, number>>;
  /** A table's rows, in pages. */
  rows(table: string): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}>;

const pageRows = 500;
const names = z.array(z.object({ name: z.string() })).transform((rows) => rows.map(({ name }) => name));
const row = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const ids = z.array(z.object({ name: z.string(), last: z.coerce.number().nullable() }));

/** A name as it stands in SQL. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Opens a snapshot of a database, which others may go on writing; null when there is none yet. Takes the addresses of `openDatabase`. */
export async function openSnapshot(url: string): Promise<Snapshot | null> {
  return url.startsWith('sqlite:') ? ofSqlite(url.slice('sqlite:'.length)) : ofPostgres(url);
}

function ofSqlite(path: string): Snapshot | null {
  if (!existsSync(path)) return null;
  const database = new DatabaseSync(pathToFileURL(path), { readOnly: true, timeout: 5_000 });
  // The write-ahead log lets a reader keep its moment while others write.
  database.exec('begin');
  const all = (sql: string): unknown => database.prepare(sql).all();
  const tables = names.parse(
    all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid"),
  );
  return {
    migrations: tables.includes('migrations') ? names.parse(all('select name from migrations order by id')) : [],
    tables: tables.filter((name) => name !== 'migrations'),
    lastIds: byName(ids.parse(all("select name, seq as last from sqlite_sequence where name <> 'migrations'"))),
    async *rows(table) {
      let page: Row[] = [];
      for (const found of database.prepare(`select * from ${sqlName(table)}`).iterate()) {
        page.push(row.parse(found));
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
    // The pool waits for the connection of the transaction.
    await em.rollback().catch(() => undefined);
    await orm.close(true);
  };
  try {
    await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
    const all = (sql: string): Promise<unknown> => em.execute(sql);
    const tables = names.parse(
      await all(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname = current_schema() order by c.oid`),
    );
    if (!tables.includes('migrations')) {
      await close();
      return null;
    }
    const lastIds = await all(`select c.table_name as name, s.last_value as last
      from information_schema.columns c join pg_sequences s on s.schemaname = current_schema()
        and pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) = quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename)
      where c.table_schema = current_schema() and c.table_name <> 'migrations'`);
    return {
      migrations: names.parse(await all('select name from migrations order by id')),
      tables: tables.filter((name) => name !== 'migrations'),
      lastIds: byName(ids.parse(lastIds)),
      async *rows(table) {
        await all(`declare page no scroll cursor for select row_to_json(t) as row from ${sqlName(table)} t`);
        for (;;) {
          const fetched = z.array(z.object({ row })).parse(await all(`fetch ${pageRows} from page`));
          if (fetched.length === 0) break;
          yield fetched.map((one) => one.row);
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
