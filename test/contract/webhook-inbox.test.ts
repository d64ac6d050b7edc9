import * as runner from 'vitest';
import { webhookInboxContract, webhookInboxStoreContract } from '#test/contracts/webhook-inbox.ts';
import { inboxStores, wrappedInboxes } from '#test/support/contracts/webhook-inbox.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of inboxStores) webhookInboxStoreContract(runner, store);
for (const inbox of wrappedInboxes) webhookInboxContract(runner, inbox);
runner.afterAll(emptyPool);
