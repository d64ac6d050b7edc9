import * as runner from 'vitest';
import { reactionLogContract } from '#test/contracts/reaction-log.ts';
import { reactionLogs } from '#test/support/contracts/reaction-log.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of reactionLogs) reactionLogContract(runner, store);
runner.afterAll(emptyPool);
