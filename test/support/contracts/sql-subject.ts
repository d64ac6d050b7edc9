import { readFile } from 'node:fs/promises';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Opened, OpenOptions, Subject } from '#test/contracts/kit/subject.ts';
import { lendSqlite, openBeside, takeBack } from '#test/support/persistence/sqlite-pool.ts';
import type { TestDatabase } from '#test/support/persistence/test-database.ts';

/** A store in a database: the tables that it uses, and how it is made over one. */
export type SqlStore<Port> = Readonly<{
  name?: string;
  tables: readonly string[];
  make(database: Database, options: OpenOptions): Port;
}>;

type SqliteHandle<Port> = Opened<Port> & Readonly<{ database: Database; url: string }>;

/** A store in a SQLite file, as a subject. */
export function sqliteSubject<Port>({
  name = 'SQLite',
  tables,
  make,
}: SqlStore<Port>): Subject<Port, SqliteHandle<Port>> {
  const opened = (database: Database, url: string, options: OpenOptions) => ({
    port: make(database, options),
    database,
    url,
  });
  return {
    name,
    open: async (options) => {
      const { database, url, giveBack } = await lendSqlite(tables, name);
      return { ...opened(database, url, options), close: giveBack };
    },
    reopen: async ({ database, url }, options) => {
      await database.close();
      const reopened = await openBeside(url);
      return {
        ...opened(reopened, url, options),
        close: async () => takeBack({ kind: name, database: reopened, url }),
      };
    },
    beside: async ({ url }, options) => {
      const other = await openBeside(url);
      return { ...opened(other, url, options), close: () => other.close() };
    },
    raw: async ({ url }) => {
      const path = url.slice('sqlite:'.length);
      const parts = await Promise.all([path, `${path}-wal`].map((file) => readFile(file).catch(() => Buffer.alloc(0))));
      return Buffer.concat(parts);
    },
    supports: { durable: true, processes: true },
  };
}

type PostgresHandle<Port> = Opened<Port> & Readonly<{ database: Database }>;

/** A store in a PostgreSQL database, as a subject; `opened` gives the one database that all tests share, once it is open. */
export function postgresSubject<Port>(
  { name = 'PostgreSQL', tables, make }: SqlStore<Port>,
  opened: () => TestDatabase,
): Subject<Port, PostgresHandle<Port>> {
  const reopened = async (options: OpenOptions) => {
    const database = await openBeside(opened().url);
    return { port: make(database, options), database, close: () => database.close() };
  };
  return {
    name,
    open: async (options) => {
      const { database } = opened();
      await emptied(database, tables);
      return { port: make(database, options), database, close: async () => undefined };
    },
    reopen: async (former, options) => {
      await former.close();
      return reopened(options);
    },
    beside: (_, options) => reopened(options),
    raw: async ({ database }) => {
      const rows = await Promise.all(tables.map((table) => database.em.fork().execute(`select * from ${table}`)));
      return JSON.stringify(rows);
    },
    supports: { durable: true, processes: true },
  };
}

/** Empties the tables and restarts their ids at 1. Not by `truncate`, which creates new files and takes a hundred times as long. */
async function emptied(database: Database, tables: readonly string[]): Promise<void> {
  const deletes = tables.map((table) => `delete from ${table}`);
  const names = tables.map((table) => `'${table}'::regclass`);
  const ids = `select setval(objid::regclass, 1, false) from pg_depend
    where classid = 'pg_class'::regclass and deptype in ('a', 'i') and refobjid in (${names.join(', ')})
    and objid in (select oid from pg_class where relkind = 'S')`;
  await database.em.fork().execute([...deletes, ids].join('; '));
}
