import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import type { Leases } from '#application/ports/leases.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The leases in a database. */
export const sqlLeases: SqlStore<Leases> = {
  tables: ['leases'],
  make: (database, { clock }) => new SqlLeases(database, clock),
};

/** The stores of leases that this project has. */
export const leaseStores = [
  memorySubject<Leases>('memory', ({ clock }) => new MemoryLeases(clock)),
  sqliteSubject(sqlLeases),
];
