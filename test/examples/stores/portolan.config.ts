import { join } from 'node:path';
import { defineConfig } from '#bootstrap/package/index.ts';
import { FileClients } from '#test/examples/stores/file-clients.ts';
import { FolderNotes } from '#test/examples/stores/folder-notes.ts';
import { RedisLeases } from '#test/examples/stores/redis-leases.ts';

const redis = process.env['REDIS_URL'];

export default defineConfig({
  stores: ({ dataDir }) => ({
    clients: new FileClients(join(dataDir, 'clients.json')),
    ...(redis === undefined ? {} : { leases: new RedisLeases(redis) }),
  }),
  sink: ({ dataDir }) => new FolderNotes(join(dataDir, 'notes')),
});
