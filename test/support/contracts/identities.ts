import { SqlIdentities } from '#adapters/persistence/sql-identities.ts';
import type { Identities } from '#application/ports/identities.ts';
import { MemoryIdentities } from '#test/doubles/memory-identities.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The identities in a database. */
export const sqlIdentities: SqlStore<Identities> = {
  tables: ['identities'],
  make: (database) => new SqlIdentities(database),
};

/** The stores of identities that this project has. */
export const identityStores = [
  memorySubject<Identities>('memory', () => new MemoryIdentities()),
  sqliteSubject(sqlIdentities),
];
