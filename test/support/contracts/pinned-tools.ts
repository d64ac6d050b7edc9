import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { FactPinnedTools } from '#adapters/stores/fact-pinned-tools.ts';
import type { PinnedTools } from '#application/ports/pinned-tools.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The tools of remote MCP servers in a database. */
export const sqlPinnedTools: SqlStore<PinnedTools> = {
  tables: ['server_facts'],
  make: (database) => new FactPinnedTools(new DatabaseServerFacts(database)),
};

/** The stores of the tools of remote MCP servers that this project has. */
export const pinnedToolStores = [
  memorySubject<PinnedTools>('memory', () => new FactPinnedTools(new MemoryServerFacts())),
  sqliteSubject(sqlPinnedTools),
];
