import { noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { PostgresTurns } from '#adapters/persistence/postgres-turns.ts';
import type { Subject } from '#test/contracts/kit/subject.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import type { SqlStore } from '#test/support/contracts/sql-subject.ts';

/** Turns by PostgreSQL; nothing is stored. */
export const postgresTurns: SqlStore<ServerTurns> = {
  tables: ['server_facts'],
  make: (database) => new PostgresTurns(database),
};

/** The turns that this project has, and need no PostgreSQL. */
export const serverTurns: readonly Subject<ServerTurns>[] = [memorySubject<ServerTurns>('one server', () => noTurns)];
