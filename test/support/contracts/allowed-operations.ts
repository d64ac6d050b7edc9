import { SqlAllowedOperations } from '#adapters/persistence/sql-allowed-operations.ts';
import type { AllowedOperations } from '#application/ports/approval-policy.ts';
import { MemoryAllowedOperations } from '#test/doubles/memory-allowed-operations.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** Operations that are always allowed, in a database. */
export const sqlAllowedOperations: SqlStore<AllowedOperations> = {
  tables: ['allowed_operations'],
  make: (database) => new SqlAllowedOperations(database),
};

/** The stores of operations that are always allowed, which this project has. */
export const allowedOperationStores = [
  memorySubject<AllowedOperations>('memory', () => new MemoryAllowedOperations()),
  sqliteSubject(sqlAllowedOperations),
];
