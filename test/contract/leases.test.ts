import * as runner from 'vitest';
import { afterAll, expect, it } from 'vitest';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { leaseStores } from '#test/support/contracts/leases.ts';
import { emptyPool, lendSqlite } from '#test/support/persistence/sqlite-pool.ts';

for (const store of leaseStores) leasesContract(runner, store);
afterAll(emptyPool);

it('leases without a clock of their own use the database’s', async () => {
  const { database, giveBack } = await lendSqlite(['leases']);
  const leases = new SqlLeases(database);
  expect(await leases.acquire('job', 'a', 3_600_000)).toBe(1);
  expect(await leases.acquire('job', 'b', 3_600_000)).toBeNull();
  expect(await leases.acquire('job', 'a', -1)).toBe(1);
  expect(await leases.acquire('job', 'b', 3_600_000)).toBe(2);
  await giveBack();
});
