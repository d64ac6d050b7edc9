import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The session state of MCP clients, for servers that share a database. */
export const mcpSessions: SchemaChange = {
  name: '0031-mcp-sessions',
  statements: () => [
    'create table mcp_sessions (id text not null primary key, user_id bigint not null, state text not null, used_at bigint not null)',
    'create index mcp_sessions_user_id on mcp_sessions (user_id, used_at)',
    'create index mcp_sessions_used_at on mcp_sessions (used_at)',
  ],
};
