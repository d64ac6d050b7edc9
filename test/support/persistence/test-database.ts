import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#infrastructure/database/open-database.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';
import { freshDatabase } from '#test/support/persistence/fresh-database.ts';

/** A box with a key for tests. */
export const testBox = new AesGcmBox([deriveKey('a secret for the tests, long enough', 'columns')]);

/** A database of its own, and how to throw it away. */
export type TestDatabase = Readonly<{ database: Database; url: string; close(): Promise<void> }>;

/** A fresh SQLite file in a temporary folder. */
export async function openTestSqlite(options: Pick<DatabaseOptions, 'maxLockWaitMs'> = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-sqlite-'));
  const path = join(folder, 'test.sqlite');
  await writeEmptySqlite(path);
  const url = `sqlite:${path}`;
  const database = await openDatabase({ ...options, url, entities, migrations });
  const close = async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { database, url, close };
}

/** Timeouts for a machine that may stand still; those of a server are for its callers. */
export const patience = { maxConnectMs: 60_000, maxQueryMs: 60_000 } as const;

/** A fresh database on a PostgreSQL server, reached at `port` if one is given; on the one that all files of a run share, a copy of one that has its tables. */
export async function openTestPostgres(serverUrl: string, port?: number): Promise<TestDatabase> {
  const isShared = serverUrl === process.env['TEST_POSTGRES_URL'];
  const { url: own, drop } = await freshDatabase(
    serverUrl,
    isShared ? process.env['TEST_POSTGRES_TEMPLATE'] : undefined,
  );
  const url = port === undefined ? own : Object.assign(new URL(own), { port: String(port) }).href;
  const database = await openDatabase({ url, entities, migrations, ...patience });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { database, url, close };
}
