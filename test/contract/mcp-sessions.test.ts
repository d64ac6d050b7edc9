import * as runner from 'vitest';
import { mcpSessionsContract } from '#test/contracts/mcp-sessions.ts';
import { mcpSessionStores } from '#test/support/contracts/mcp-sessions.ts';

for (const store of mcpSessionStores) mcpSessionsContract(runner, store);
