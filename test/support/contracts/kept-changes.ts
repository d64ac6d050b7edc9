import type { KeptChangeStore } from '#adapters/contracts/change-stores.ts';
import { SqlKeptChanges } from '#adapters/persistence/sql-kept-changes.ts';
import { MemoryKeptChanges } from '#test/doubles/memory-kept-changes.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** Kept changes, in a database. */
export const sqlKeptChanges: SqlStore<KeptChangeStore> = {
  tables: ['kept_changes'],
  make: (database) => new SqlKeptChanges(database),
};

/** The stores of kept changes that this project has. */
export const keptChangeStores = [
  memorySubject<KeptChangeStore>('memory', () => new MemoryKeptChanges()),
  sqliteSubject(sqlKeptChanges),
];
