import { MemoryPendingSignIns } from '#adapters/memory/memory-pending-sign-ins.ts';
import { SqlPendingSignIns } from '#adapters/persistence/sql-pending-sign-ins.ts';
import type { PendingSignIns } from '#application/ports/pending-sign-ins.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The pending sign-ins in a database. */
export const sqlPendingSignIns: SqlStore<PendingSignIns> = {
  tables: ['pending_sign_ins'],
  make: (database, { max }) => new SqlPendingSignIns(database, max),
};

/** The stores of pending sign-ins that this project has. */
export const pendingSignInStores = [
  memorySubject<PendingSignIns>('memory', ({ max }) => new MemoryPendingSignIns(max)),
  sqliteSubject(sqlPendingSignIns),
];
