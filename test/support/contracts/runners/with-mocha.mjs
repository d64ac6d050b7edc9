import { registerOwnStores } from '#test/support/contracts/own-stores.ts';
import { emptyPool } from '#test/support/persistence/sqlite-pool.ts';

// The suites under mocha, whose functions are global: mocha test/support/contracts/runners/with-mocha.mjs
const { describe, it, beforeEach, afterEach, after } = globalThis;
registerOwnStores({ describe, it, beforeEach, afterEach });
after(emptyPool);
