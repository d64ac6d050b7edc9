import { fileURLToPath } from 'node:url';
import { fromMcp } from '#adapters/services/from-mcp/from-mcp.ts';
import { defineConfig } from '#bootstrap/config/portolan-config.ts';

const program = fileURLToPath(new URL('other.mjs', import.meta.url));

export default defineConfig({
  services: [
    fromMcp({ key: 'other', title: 'Other', command: 'node', args: [program], connection: 'none' }),
    fromMcp({
      key: 'wiki',
      title: 'Wiki',
      url: 'https://mcp.example.com/mcp',
      connection: 'key',
      search: ['search_pages'],
    }),
  ],
});
