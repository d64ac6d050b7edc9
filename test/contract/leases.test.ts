import { expect, it } from 'vitest';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { leasesContract } from '#test/contract/leases.contract.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

leasesContract('memory', async (clock) => ({ leases: new MemoryLeases(clock), close: async () => undefined }));

leasesContract('SQLite', async (clock) => {
  const { database, close } = await openTestSqlite();
  return { leases: new SqlLeases(database, clock), close };
});

it('leases without a clock of their own go by the database’s', async () => {
  const { database, close } = await openTestSqlite();
  const leases = new SqlLeases(database);
  expect(await leases.acquire('job', 'a', 3_600_000)).toBe(1);
  expect(await leases.acquire('job', 'b', 3_600_000)).toBeNull();
  expect(await leases.acquire('job', 'a', -1)).toBe(1);
  expect(await leases.acquire('job', 'b', 3_600_000)).toBe(2);
  await close();
});
