import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import { SqlPendingConnects } from '#adapters/persistence/sql-pending-connects.ts';
import type { PendingConnects } from '#application/ports/pending-connects.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The pending connects in a database. */
export const sqlPendingConnects: SqlStore<PendingConnects> = {
  tables: ['pending_connects'],
  make: (database, { max }) => new SqlPendingConnects(database, max),
};

/** The stores of pending connects that this project has. */
export const pendingConnectStores = [
  memorySubject<PendingConnects>('memory', ({ max }) => new MemoryPendingConnects(max)),
  sqliteSubject(sqlPendingConnects),
];
