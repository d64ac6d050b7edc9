import { mcpServers } from '#test/faults/rows/mcp-servers.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(mcpServers);
