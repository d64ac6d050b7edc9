import type { McpSessions } from '#adapters/contracts/mcp-sessions.ts';
import { SqlMcpSessions } from '#adapters/persistence/sql-mcp-sessions.ts';
import { idleMs } from '#test/contracts/mcp-sessions.ts';
import { MemoryMcpSessions } from '#test/doubles/memory-mcp-sessions.ts';
import { memorySubject } from '#test/support/contracts/memory-subject.ts';
import { type SqlStore, sqliteSubject } from '#test/support/contracts/sql-subject.ts';

/** The store of MCP sessions in the database. */
export const sqlMcpSessions: SqlStore<McpSessions> = {
  tables: ['mcp_sessions'],
  make: (database, { clock, max }) => new SqlMcpSessions(database, { perUser: 3, all: max, idleMs }, clock),
};

/** The stores of MCP sessions that this project has. */
export const mcpSessionStores = [
  {
    ...memorySubject<McpSessions>(
      'memory',
      ({ clock, max }) => new MemoryMcpSessions(clock, { perUser: 3, all: max, idleMs }),
    ),
  },
  sqliteSubject(sqlMcpSessions),
];
