import * as runner from 'vitest';
import { usersContract } from '#test/contracts/users.ts';
import { userStores } from '#test/support/contracts/users.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of userStores) usersContract(runner, store);
runner.afterAll(emptyPool);
