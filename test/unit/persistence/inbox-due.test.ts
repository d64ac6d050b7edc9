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
      await planOf(`${dueSql({ ...question, lanes: undefined })} select seq from due`),
      await planOf(`${dueSql({ ...question, lanes: lanes.slice(0, 1) })} select seq from due`),
      await planOf(open.sql, [...open.values]),
    ];
    await close();
    expect(plans[0]).toContain('SCAN entry USING INDEX webhook_inbox_due');
    expect(plans[1]).toContain('SEARCH entry USING INDEX webhook_inbox_lanes');
    expect(plans[2]).toContain('SEARCH webhook_inbox USING INDEX webhook_inbox_lanes');
    for (const plan of plans.slice(0, 2)) expect(plan).not.toContain('TEMP B-TREE');
  });
});
