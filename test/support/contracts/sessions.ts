import { SqlSessions } from '#adapters/persistence/sql-sessions.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The sessions of persons in a database. */
export const sqlSessions: SqlStore<Sessions> = {
  tables: ['sessions'],
  make: (database) => new SqlSessions(database),
};

/** The stores of persons' sessions that this project has. */
export const sessionStores = [
  memorySubject<Sessions>('memory', () => new MemorySessions()),
  sqliteSubject(sqlSessions),
];
