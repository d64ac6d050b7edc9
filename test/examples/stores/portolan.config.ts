import { defineConfig } from '#bootstrap/package/index.ts';
import { FileClients } from '#test/examples/stores/file-clients.ts';
import { FolderNotes } from '#test/examples/stores/folder-notes.ts';
import { redisLeases } from '#test/examples/stores/redis-leases.ts';

export default defineConfig({
  stores: ({ dataDir }) => ({ clients: new FileClients(`${dataDir}/clients.json`), ...redisLeases() }),
  sink: ({ dataDir }) => new FolderNotes(`${dataDir}/notes`),
});
