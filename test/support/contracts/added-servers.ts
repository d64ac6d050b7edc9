import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { SealedAddedServers } from '#adapters/stores/sealed-remote.ts';
import type { AddedServers } from '#application/ports/added-servers.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

/** The added MCP servers in a database. */
export const sqlAddedServers: SqlStore<AddedServers> = {
  tables: ['server_facts'],
  make: (database) => new SealedAddedServers(new DatabaseServerFacts(database), testBox),
};

/** The stores of added MCP servers that this project has. */
export const addedServerStores = [
  memorySubject<AddedServers>('memory', () => new SealedAddedServers(new MemoryServerFacts(), testBox)),
  sqliteSubject(sqlAddedServers),
];
