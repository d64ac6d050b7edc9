import * as runner from 'vitest';
import { afterAll } from 'vitest';
import { pendingConnectsContract } from '#test/contracts/pending-connects.ts';
import { pendingSignInsContract } from '#test/contracts/pending-sign-ins.ts';
import { rateLimitsContract } from '#test/contracts/rate-limits.ts';
import { serverMessagesContract } from '#test/contracts/server-messages.ts';
import { pendingConnectStores } from '#test/support/contracts/pending-connects.ts';
import { pendingSignInStores } from '#test/support/contracts/pending-sign-ins.ts';
import { rateLimitStores } from '#test/support/contracts/rate-limits.ts';
import { serverMessages } from '#test/support/contracts/server-messages.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

for (const store of pendingConnectStores) pendingConnectsContract(runner, store);
for (const store of pendingSignInStores) pendingSignInsContract(runner, store);
for (const carrier of serverMessages) serverMessagesContract(runner, carrier);
for (const store of rateLimitStores) rateLimitsContract(runner, store);
afterAll(emptyPool);
