import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { registerOwnStores } from '#test/support/contracts/own-stores.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

// The suites under node:test: node --test test/support/contracts/runners/with-node-test.ts
registerOwnStores({ describe, it, beforeEach, afterEach });
after(emptyPool);
