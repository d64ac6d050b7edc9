import * as runner from 'vitest';
import { partyLinksContract } from '#test/contracts/party-links.ts';
import { receiptsContract } from '#test/contracts/receipts.ts';
import { partyLinkStores } from '#test/support/contracts/party-links.ts';
import { receiptStores } from '#test/support/contracts/receipts.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of receiptStores) receiptsContract(runner, store);
for (const store of partyLinkStores) partyLinksContract(runner, store);
runner.afterAll(emptyPool);
