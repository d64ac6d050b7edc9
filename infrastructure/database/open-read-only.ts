import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** A database opened for reading only. */
export type ReadOnlyDatabase = Readonly<{ all(sql: string): Promise<readonly unknown[]>; close(): Promise<void> }>;

/**
 * Opens a database for reading; null when it does not exist. Takes the same URLs as `openDatabase`. Neither creates nor
 * writes a file, whether or not a server has the database open. Throws the driver's error when it cannot be opened.
 */
export async function openReadOnly(url: string): Promise<ReadOnlyDatabase | null> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}

function openSqlite(path: string): ReadOnlyDatabase | null {
  if (path === ':memory:' || !existsSync(path)) return null;
  const address = pathToFileURL(path);
  // Without a write-ahead log no process has the database open: opening it as immutable avoids creating one.
  if (!existsSync(`${path}-wal`)) address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true, timeout: 5_000 });
  return {
    all: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
  };
}

async function openPostgres(url: string): Promise<ReadOnlyDatabase> {
  const { MikroORM } = await import('@mikro-orm/postgresql');
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  const all = (sql: string): Promise<readonly unknown[]> =>
    orm.em.fork().transactional((em) => em.execute<unknown[]>(sql), { readOnly: true });
  try {
    await all('select 1');
  } catch (error) {
    await orm.close(true);
    throw error;
  }
  return { all, close: () => orm.close(true) };
}
