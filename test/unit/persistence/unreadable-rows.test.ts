import { afterEach, beforeEach, expect, it } from 'vitest';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { SqlRateLimits } from '#adapters/persistence/sql-rate-limits.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestSqlite();
});
afterEach(() => opened.close());

const run = (sql: string) => opened.database.em.fork().execute(sql);

it('a count whose window has no readable end does not lock anybody out (EDGE-018)', async () => {
  const limits = new SqlRateLimits(opened.database);
  await limits.take('login_email', 'ann');
  for (const end of ["'garbage'", '9223372036854775807', "x'ff'"]) {
    await run(`update rate_limits set points = 1000, ends_at = ${end}`);
    expect(await limits.take('login_email', 'ann')).toEqual({ ok: true, value: null });
  }
});

it('a lease without a readable end can be taken (EDGE-018)', async () => {
  const leases = new SqlLeases(opened.database);
  await leases.acquire('job', 'another', 1_000);
  for (const until of ["'garbage'", '9223372036854775807', "x'ff'"]) {
    await run(`update leases set owner = 'another', until = ${until}`);
    expect(await leases.acquire('job', 'this', 1_000)).not.toBeNull();
  }
});

it('an unreadable delivery does not block a later one of its record (EDGE-018)', async () => {
  const inbox = new SqlWebhookInbox(opened.database);
  const entry = { service: 'tracker', orderKey: 'tracker/1', event: 'updated', body: '{}' } as const;
  await inbox.keep([
    { ...entry, deliveryId: '1' },
    { ...entry, deliveryId: '2' },
  ]);
  await run("update webhook_inbox set event = x'fffe' where delivery_id = '1'");
  const claim = { owner: 'a', leaseMs: 60_000, limit: 10 };
  expect(await inbox.claim(claim)).toEqual([]);
  expect((await inbox.claim(claim)).map(({ deliveryId }) => deliveryId)).toEqual(['2']);
  expect(await run("select state, error, lease_owner from webhook_inbox where delivery_id = '1'")).toEqual([
    { state: 'skipped', error: 'its row cannot be read', lease_owner: null },
  ]);
});

it('an unreadable row is reported once, and listed while it is read (EDGE-018)', async () => {
  const reported: string[] = [];
  opened.database.rows.onFound(({ table, key }) => reported.push(`${table} ${key}`));
  const inbox = new SqlWebhookInbox(opened.database);
  await inbox.keep([{ service: 'tracker', orderKey: 'tracker/1', event: 'updated', body: '{}', deliveryId: '1' }]);
  await run("update webhook_inbox set attempts = 'garbage'");
  expect(await inbox.list({ limit: 10 })).toEqual([]);
  expect(await inbox.find(1)).toBeNull();
  expect(reported).toEqual(['webhook_inbox 1']);
  expect(opened.database.rows.all()).toEqual([
    { table: 'webhook_inbox', key: '1', userId: null, problem: expect.stringMatching(/^attempts: /) },
  ]);
});
