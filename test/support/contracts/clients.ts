import { MemoryClients } from '#adapters/memory/memory-clients.ts';
import { SqlClients } from '#adapters/persistence/sql-clients.ts';
import type { Clients } from '#application/ports/clients.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The clients in a database. */
export const sqlClients: SqlStore<Clients> = {
  tables: ['clients'],
  make: (database, { clock, max }) => new SqlClients(database, clock, max),
};

/** The stores of clients that this project has. */
export const clientStores = [
  memorySubject<Clients>('memory', ({ max }) => new MemoryClients(max)),
  sqliteSubject(sqlClients),
];
