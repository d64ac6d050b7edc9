import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The sessions of MCP clients, for servers that share a database. */
export const McpSessionRow = table('mcp_sessions', {
  id: text().primary(),
  userId: whole(),
  state: text(),
  usedAt: whole(),
});
