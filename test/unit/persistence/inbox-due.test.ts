import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dueSql, openLanesQuery } from '#adapters/persistence/inbox-due.ts';
import { openTestSqlite } from '#test/support/persistence/test-database.ts';

const planSchema = z.array(z.object({ detail: z.string() }));
const lanes = [
  { from: 'tracker', calls: 'vault' },
  { from: 'tracker', calls: null },
] as const;

describe('a claim on SQLite', () => {
  it('reads waiting deliveries in the order of an index without sorting, however many wait', async () => {
    const { database, close } = await openTestSqlite();
    const planOf = async (sql: string, values: unknown[] = []) => {
      const steps = planSchema.parse(await database.direct.execute(`explain query plan ${sql}`, values));
      return steps.map(({ detail }) => detail).join('\n');
    };
    const question = { kind: 'sqlite', now: '1', limit: 8 } as const;
    const open = openLanesQuery(lanes);
    const plans = [
      await planOf(`${dueSql({ ...question, lanes: undefined }).sql} select seq from due`),
      await planOf(`${dueSql({ ...question, lanes: lanes.slice(0, 1) }).sql} select seq from due`),
      await planOf(open.sql, [...open.values]),
    ];
    await close();
    expect(plans[0]).toContain('SCAN entry USING INDEX webhook_inbox_due');
    expect(plans[1]).toContain('SEARCH entry USING INDEX webhook_inbox_lanes');
    expect(plans[2]).toContain('SEARCH webhook_inbox USING INDEX webhook_inbox_lanes');
    for (const plan of plans.slice(0, 2)) expect(plan).not.toContain('TEMP B-TREE');
  });
});

describe('a claim on PostgreSQL', () => {
  it('has one text for all lanes and one for any lanes, however many of them and of entries, so that it is planned once (INBOX-025)', () => {
    const sqlOf = (limit: number, asked: typeof lanes | undefined) =>
      dueSql({ kind: 'postgres', now: '1', limit, lanes: asked?.slice(0, limit) }).sql;
    expect(sqlOf(1, undefined)).toBe(sqlOf(2, undefined));
    expect(sqlOf(1, lanes)).toBe(sqlOf(2, lanes));
  });
});

describe('what failed on SQLite', () => {
  it('is counted, listed and replayed by the index of faulty deliveries, however many there are (INBOX-023, INBOX-024)', async () => {
    const { database, close } = await openTestSqlite();
    const statements = [
      'select count(*) as entries from webhook_inbox as w where is_faulty = 1',
      'select w.seq, w.event from webhook_inbox as w where w.seq < 9 and is_faulty = 1 order by w.seq desc limit 50',
      'select w.seq from webhook_inbox as w where is_faulty = 1 and w.body is not null order by w.seq asc limit 1000',
      "select w.seq from webhook_inbox as w where w.state = 'dead' and w.body is not null order by w.seq asc limit 1000",
      'select * from reaction_results as r where r.seq = 7 order by r.reaction asc limit 1000',
      "select * from reaction_results as r where r.reaction = 'a' and r.seq < 9 order by r.seq desc limit 50",
      "select * from reaction_calls as c where c.state = 'unknown' order by c.begun_at desc, c.call_key asc limit 101",
      "select * from notifications as n where n.channel in ('mail') and n.due_at <= 9 order by n.due_at asc, n.id asc limit 100",
    ];
    const plans: string[] = [];
    for (const sql of statements) {
      const steps = planSchema.parse(await database.direct.execute(`explain query plan ${sql}`));
      plans.push(steps.map(({ detail }) => detail).join('; '));
    }
    await close();
    for (const plan of plans) expect(plan).toMatch(/^SEARCH/);
    for (const plan of plans.slice(0, 3)) expect(plan).toContain('webhook_inbox_faulty');
    for (const plan of plans.slice(0, 6)) expect(plan).not.toContain('TEMP B-TREE');
  });
});
