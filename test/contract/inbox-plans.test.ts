import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { endEntries } from '#adapters/persistence/inbox-changes.ts';
import { SqlWebhookInbox } from '#adapters/persistence/sql-webhook-inbox.ts';
import type { Claim } from '#application/ports/webhook-inbox.ts';
import { startPostgres } from '#test/support/persistence/postgres.ts';
import { openTestPostgres, type TestDatabase } from '#test/support/persistence/test-database.ts';

const postgres = await startPostgres();
let opened: TestDatabase;
beforeAll(async () => {
  if (typeof postgres === 'string') return;
  opened = await openTestPostgres(postgres.url);
  // It would make statistics of its own.
  await run('alter table webhook_inbox set (autovacuum_enabled = off)');
});
afterAll(async () => {
  await opened?.close();
  if (typeof postgres !== 'string') await postgres.stop();
});

const [records, limit] = [10_000, 32];
/** How many pages may be read for an entry that is found. */
const pagesOfEntry = 8;
const calls = ['vault', 'suite_crm', null] as const;
const claim = { owner: 'a', leaseMs: 60_000, limit };

const readSchema = z.object({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() });
const planSchema = z.tuple([
  z.object({
    'QUERY PLAN': z.tuple([z.object({ Plan: z.object({ 'Actual Rows': z.number(), Plans: z.array(z.unknown()) }) })]),
  }),
]);
/** Beneath an update, where its rows come from. */
const outerSchema = readSchema.extend({ 'Parent Relationship': z.literal('Outer') });

const run = (sql: string, values?: unknown[]) => opened.database.direct.execute(sql, values);

/** Adds entries, each of a record of its own, or all of one. */
const fill = (state: 'done' | 'pending', count: number, record?: string) =>
  run(
    `insert into webhook_inbox
       (service, delivery_id, order_key, event, calls, state, received_at, available_at, attempts, body)
     select 'tracker', gen_random_uuid(), coalesce(cast(? as text), gen_random_uuid()::text), 'Issue.create',
       (cast(? as text[]))[1 + each % 3], cast(? as text), 1, 1, 0, '{}'
     from generate_series(1, cast(? as integer)) each`,
    [record ?? null, calls, state, count],
  );

/** Executes updates; counts the rows that they change, and the pages that are read to find these. */
class ReadPages {
  rows = 0;
  pages = 0;

  readonly execute = async (sql: string, values?: unknown[]): Promise<unknown[]> => {
    const [row] = planSchema.parse(await run(`explain (analyze, buffers, format json) ${sql}`, values));
    const [{ Plan: plan }] = row['QUERY PLAN'];
    const outer = plan.Plans.flatMap((one) => outerSchema.safeParse(one).data ?? []);
    this.rows += plan['Actual Rows'];
    for (const one of outer) this.pages += one['Shared Hit Blocks'] + one['Shared Read Blocks'];
    return [];
  };
}

/** What the statistics say, and of which entries they were made. */
const nothingOpen = ['that nothing is open', () => fill('done', records / 2)] as const;
const fewOpen = ['that a few are open', fillFew] as const;
/** From that it expects so many that it could read the whole table, and the first of a record soon among all that is done. */
const oneRecord = ['that all is open and of one record', () => fill('pending', records / 2, 'a')] as const;
const noStatistics = ['nothing', null] as const;
type Before = (() => Promise<unknown>) | null;

/** Rows that were changed since are in another order than that of their numbers. */
async function fillFew(): Promise<void> {
  await fill('done', records / 2);
  await run('update webhook_inbox set attempts = 2 where seq % 2 = 0');
  await fill('pending', 4);
}

/** Claims from many records. */
async function claimed(before: Before, asked: Claim): Promise<ReadPages> {
  await prepared(before);
  const read = new ReadPages();
  vi.spyOn(opened.database.direct, 'execute').mockImplementationOnce(read.execute);
  await new SqlWebhookInbox(opened.database).claim(asked);
  vi.restoreAllMocks();
  return read;
}

/** Makes statistics; then other entries are done, and ones of many records wait. */
async function prepared(before: Before): Promise<void> {
  await run('truncate webhook_inbox');
  await run(`select pg_clear_attribute_stats(schemaname, tablename, attname, false)
    from pg_stats where tablename = 'webhook_inbox'`);
  await before?.();
  if (before !== null) await run('analyze webhook_inbox');
  // What is known of columns stays.
  await run('truncate webhook_inbox');
  await fill('done', records / 2);
  await fill('pending', records);
}

describe.skipIf(typeof postgres === 'string')('the inbox on PostgreSQL, whose statistics say', () => {
  it.each([nothingOpen, fewOpen, oneRecord, noStatistics])(
    '%s, claims without reading all that waits (INBOX-030)',
    async (_, before) => {
      const { rows, pages } = await claimed(before, claim);
      expect(rows).toBe(limit);
      expect(pages).toBeLessThan(limit * pagesOfEntry);
    },
  );

  it.each([nothingOpen])('%s, claims from lanes without reading all of them (INBOX-030)', async (_, before) => {
    const lanes = calls.map((called) => ({ from: 'tracker', calls: called, most: limit }) as const);
    const { rows, pages } = await claimed(before, { ...claim, lanes });
    expect(rows).toBe(limit);
    expect(pages).toBeLessThan(lanes.length * limit * pagesOfEntry);
  });

  it.each([nothingOpen])('%s, finds a lane empty without reading others (INBOX-030)', async (_, before) => {
    const lanes = [{ from: 'signing', calls: 'vault', most: limit }] as const;
    const { rows, pages } = await claimed(before, { ...claim, lanes });
    expect(rows).toBe(0);
    expect(pages).toBeLessThan(2 * pagesOfEntry);
  });

  it.each([nothingOpen])('%s, ends attempts without reading all that waits (INBOX-030)', async (_, before) => {
    await prepared(before);
    const entries = await new SqlWebhookInbox(opened.database).claim(claim);
    const ending = { kind: 'done', outcome: 'created' } as const;
    const ended = entries.map((entry) => ({ entry, ending }));
    const read = new ReadPages();
    await endEntries(read, ended, { kind: 'postgres', now: '1' });
    expect(read.rows).toBe(limit);
    expect(read.pages).toBeLessThan(limit * pagesOfEntry);
  });
});
