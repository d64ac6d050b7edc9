import { column, table } from '#infrastructure/database/columns.ts';

/** The sessions of MCP clients, for servers that share a database. */
export const McpSessionRow = table('mcp_sessions', {
  id: column.text().primary(),
  userId: column.whole(),
  state: column.text(),
  usedAt: column.whole(),
});
