import { expect, it } from 'vitest';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();

it.skipIf(typeof postgres === 'string')(
  'a transaction that PostgreSQL ended while the process was frozen is reported as an outage, so that its caller may retry (ERR-006)',
  async () => {
    if (typeof postgres === 'string') return;
    const test = await openTestPostgres(postgres.url);
    const frozen = test.database.em.fork().transactional(async (em) => {
      await em.execute("set local idle_in_transaction_session_timeout = '20ms'");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      return em.execute('select 1');
    });
    await expect(frozen).rejects.toEqual(
      expect.objectContaining({ constructor: DatabaseUnavailable, reason: 'unreachable' }),
    );
    expect(await test.database.em.fork().execute('select 1 as one')).toEqual([{ one: 1 }]);
    await test.close();
    await postgres.stop();
  },
);
