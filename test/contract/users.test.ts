import { afterEach } from 'vitest';
import { CachedUsers } from '#adapters/memory/cached-users.ts';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { usersContract } from '#test/contract/users.contract.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

let opened: TestDatabase | null = null;
const fresh = async () => {
  opened = await openTestSqlite();
  return opened.database;
};
afterEach(async () => {
  await opened?.close();
  opened = null;
});

usersContract('MikroOrmUsers on SQLite', async () => new MikroOrmUsers(await fresh()));
usersContract('CachedUsers over SQLite', async () => new CachedUsers(new MikroOrmUsers(await fresh())));
