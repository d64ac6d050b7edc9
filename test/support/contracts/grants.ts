import { SqlGrants } from '#adapters/persistence/sql-grants.ts';
import type { Grants } from '#application/ports/grants.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The grants of apps in a database. */
export const sqlGrants: SqlStore<Grants> = {
  tables: ['app_grants'],
  make: (database) => new SqlGrants(database),
};

/** The stores of grants that this project has. */
export const grantStores = [memorySubject<Grants>('memory', () => new MemoryGrants()), sqliteSubject(sqlGrants)];
