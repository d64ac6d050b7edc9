import * as runner from 'vitest';
import { mcpTransportContract } from '#test/contracts/mcp-transport.ts';
import { mcpTransports } from '#test/support/contracts/mcp-transport.ts';

for (const transport of mcpTransports) mcpTransportContract(runner, transport);
