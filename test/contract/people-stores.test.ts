import * as runner from 'vitest';
import { grantsContract } from '#test/contracts/grants.ts';
import { grantStores } from '#test/support/contracts/grants.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of grantStores) grantsContract(runner, store);
runner.afterAll(emptyPool);
