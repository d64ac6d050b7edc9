import * as runner from 'vitest';
import { addedServersContract } from '#test/contracts/added-servers.ts';
import { pinnedToolsContract } from '#test/contracts/pinned-tools.ts';
import { remoteClientsContract } from '#test/contracts/remote-clients.ts';
import { addedServerStores } from '#test/support/contracts/added-servers.ts';
import { pinnedToolStores } from '#test/support/contracts/pinned-tools.ts';
import { remoteClientStores } from '#test/support/contracts/remote-clients.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of pinnedToolStores) pinnedToolsContract(runner, store);
for (const store of addedServerStores) addedServersContract(runner, store);
for (const store of remoteClientStores) remoteClientsContract(runner, store);
runner.afterAll(emptyPool);
