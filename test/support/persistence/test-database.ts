import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#infrastructure/database/open-database.ts';

/** A box with a key for tests. */
export const testBox = new AesGcmBox([deriveKey('a secret for the tests, long enough', 'columns')]);

/** A database of its own, and how to throw it away. */
export type TestDatabase = Readonly<{ database: Database; url: string; close(): Promise<void> }>;

/** A fresh SQLite file in a temporary folder. */
export async function openTestSqlite(options: Pick<DatabaseOptions, 'maxLockWaitMs'> = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-sqlite-'));
  const url = `sqlite:${join(folder, 'test.sqlite')}`;
  const database = await openDatabase({ ...options, url, entities, migrations });
  const close = async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { database, url, close };
}

/** A fresh database on a PostgreSQL server. */
export async function openTestPostgres(serverUrl: string): Promise<TestDatabase> {
  const name = `portolan_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const database = await openDatabase({ url, entities, migrations });
  const close = async () => {
    await database.close();
    await onServer(serverUrl, `drop database ${name} with (force)`);
  };
  return { database, url, close };
}

async function onServer(url: string, statement: string): Promise<void> {
  const { MikroORM } = await import('@mikro-orm/postgresql');
  const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false } });
  try {
    await orm.em.getConnection().execute(statement);
  } finally {
    await orm.close(true);
  }
}
