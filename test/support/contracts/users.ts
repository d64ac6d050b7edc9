import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { cachedUsers } from '#adapters/stores/cached-stores.ts';
import type { Users } from '#application/ports/users.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The users in a database. */
export const sqlUsers: SqlStore<Users> = { tables: ['users'], make: (database) => new MikroOrmUsers(database) };

/** The stores of users that this project has. */
export const userStores = [
  memorySubject<Users>('memory', () => new MemoryUsers()),
  memorySubject<Users>('cached over memory', () => cachedUsers(new MemoryUsers())),
  sqliteSubject(sqlUsers),
];
