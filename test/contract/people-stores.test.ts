import * as runner from 'vitest';
import { activityLogContract } from '#test/contracts/activity-log.ts';
import { grantsContract } from '#test/contracts/grants.ts';
import { sessionsContract } from '#test/contracts/sessions.ts';
import { activityLogs } from '#test/support/contracts/activity-log.ts';
import { grantStores } from '#test/support/contracts/grants.ts';
import { sessionStores } from '#test/support/contracts/sessions.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of activityLogs) activityLogContract(runner, store);
for (const store of grantStores) grantsContract(runner, store);
for (const store of sessionStores) sessionsContract(runner, store);
runner.afterAll(emptyPool);
