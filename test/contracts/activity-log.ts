import assert from 'node:assert/strict';
import type { ActivityLog, ActivityQuery } from '#application/ports/activity-log.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import type { UsageCount } from '#domain/activity/usage-count.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

const at = 1_769_172_711_789;
const entry = (): ActivityEntry => ({
  at,
  userId: 7,
  grantId: 'Aa1-_',
  app: 'Ada’s “Agent” 🧭',
  service: 'sales_crm',
  operation: 'deals.update',
  effect: 'write',
  recordId: '42',
  recordUrl: 'https://crm.example/deals/42?tab=a b#“top”',
  outcome: 'ok',
  ms: 12,
  keptId: 'Kept-1',
});
const bare = (): ActivityEntry => ({
  userId: 7,
  at: at + 1,
  grantId: null,
  app: null,
  service: 'vault',
  operation: 'notes.delete',
  effect: 'destroy',
  recordId: null,
  recordUrl: null,
  outcome: 'rate_limited',
  ms: 0,
});
const hour = 1_769_169_600_000;
const sum = (more: Partial<UsageCount> = {}): UsageCount => ({
  userId: 7,
  hour,
  kind: 'calls',
  service: 'sales_crm',
  count: 2,
  failed: 1,
  tokens: 40,
  ...more,
});
const listed = async (port: ActivityLog, query: Partial<ActivityQuery> = {}) => port.list({ limit: 100, ...query });
const times = async (port: ActivityLog, query: Partial<ActivityQuery> = {}) =>
  (await listed(port, query)).map((one) => one.at - at);

/** Contract suite of the activity log. */
export function activityLogContract<Handle extends Opened<ActivityLog>>(
  runner: Runner,
  subject: Subject<ActivityLog, Handle>,
): void {
  contract<ActivityLog, Handle>(runner, subject, {
    port: 'activity log',
    define: (clause) => {
      clause('ACTIVITY-001 returns every field as it was added, and an id', async ({ port }) => {
        await port.add([entry(), bare()]);
        const [second, first] = await listed(port);
        assert.ok(first !== undefined && second !== undefined && first.id < second.id);
        assert.deepEqual(first, { ...entry(), id: first.id });
        assert.deepEqual(second, { ...bare(), id: second.id });
      });

      clause('ACTIVITY-002 lists the entry added last first, whatever the times are', async ({ port }) => {
        assert.deepEqual(await listed(port), []);
        await port.add([entry(), { ...entry(), at: at + 5 }]);
        await port.add([{ ...entry(), at: at + 2 }]);
        assert.deepEqual(await times(port), [2, 5, 0]);
      });

      clause('ACTIVITY-003 lists the entries of one user, one service or one app', async ({ port }) => {
        await port.add([
          entry(),
          { ...entry(), at: at + 1, userId: 8 },
          { ...entry(), at: at + 2, service: 'vault' },
          { ...entry(), at: at + 3, app: 'ada’s “agent” 🧭' },
          { ...entry(), at: at + 4, app: null },
        ]);
        assert.deepEqual(await times(port, { userId: 7 }), [4, 3, 2, 0]);
        assert.deepEqual(await times(port, { service: 'sales_crm' }), [4, 3, 1, 0]);
        assert.deepEqual(await times(port, { app: 'Ada’s “Agent” 🧭' }), [2, 1, 0]);
        assert.deepEqual(await times(port, { userId: 7, service: 'vault', app: 'Ada’s “Agent” 🧭' }), [2]);
        assert.deepEqual(await times(port, { service: 'vault', app: 'Ada’s “Agent” 🧭' }), [2]);
        assert.deepEqual(await times(port, { userId: 7, app: 'ada’s “agent” 🧭' }), [3]);
        assert.deepEqual(await times(port, { userId: 9 }), []);
        for (const odd of ['%', "' or 1=1 --", 'sales_cr_']) {
          assert.deepEqual(await times(port, { service: odd }), [], odd);
          assert.deepEqual(await times(port, { app: odd }), [], odd);
        }
      });

      clause('ACTIVITY-004 lists the entries between two times', async ({ port }) => {
        await port.add([0, 1, 2, 3].map((later) => ({ ...entry(), at: at + later })));
        assert.deepEqual(await times(port, { from: at + 1 }), [3, 2, 1]);
        assert.deepEqual(await times(port, { until: at + 2 }), [1, 0]);
        assert.deepEqual(await times(port, { from: at + 1, until: at + 3 }), [2, 1]);
      });

      clause('ACTIVITY-005 lists at most as many as asked for, and continues before an id', async ({ port }) => {
        await port.add([0, 1, 2, 3, 4].map((later) => ({ ...entry(), at: at + later, userId: later === 2 ? 8 : 7 })));
        const first = await listed(port, { limit: 2, userId: 7 });
        assert.deepEqual(
          first.map((one) => one.at - at),
          [4, 3],
        );
        assert.deepEqual(await times(port, { limit: 2, userId: 7, before: first[1]?.id ?? 0 }), [1, 0]);
      });

      clause('ACTIVITY-006 lists the apps of a user, and of all users, each once and sorted', async ({ port }) => {
        assert.deepEqual(await port.apps(7), []);
        await port.add([
          { ...entry(), app: 'zed' },
          { ...entry(), app: 'codex' },
          { ...entry(), app: 'codex' },
          { ...entry(), app: null },
          { ...entry(), app: 'other', userId: 8 },
        ]);
        assert.deepEqual(await port.apps(7), ['codex', 'zed']);
        assert.deepEqual(await port.apps(8), ['other']);
        assert.deepEqual(await port.apps(null), ['codex', 'other', 'zed']);
      });

      clause(
        'ACTIVITY-007 prunes entries of all users from before a time, and returns their number',
        async ({ port }) => {
          await port.add([{ ...entry(), at: at - 1 }, { ...entry(), at: at - 2, userId: 8 }, entry()]);
          assert.equal(await port.prune(at), 2);
          assert.deepEqual(await times(port), [0]);
          assert.deepEqual(await port.apps(8), []);
          assert.deepEqual(await port.apps(null), await port.apps(7));
          assert.equal((await port.apps(7)).length, 1);
          assert.equal(await port.prune(at), 0);
        },
      );

      clause('ACTIVITY-008 never uses an id twice, even after pruning', async ({ port }) => {
        await port.add([entry(), entry()]);
        const before = (await listed(port))[0]?.id ?? 0;
        await port.prune(at + 1);
        await port.add([entry()]);
        assert.ok(((await listed(port))[0]?.id ?? 0) > before);
      });

      clause('ACTIVITY-009 accepts an empty list, and one of more than a thousand, in order', async ({ port }) => {
        await port.add([]);
        assert.deepEqual(await listed(port), []);
        await port.add(Array.from({ length: 1_203 }, (_, later) => ({ ...entry(), at: at + later })));
        const all = await times(port, { limit: 2_000 });
        assert.equal(all.length, 1_203);
        assert.deepEqual([all[0], all[700], all[1_202]], [1_202, 502, 0]);
      });

      clause('ACTIVITY-010 has all entries that are added concurrently', async ({ port }) => {
        await Promise.all([1, 2, 3, 4].map((later) => port.add([{ ...entry(), at: at + later }, entry()])));
        assert.deepEqual(
          (await times(port)).toSorted((left, right) => left - right),
          [0, 0, 0, 0, 1, 2, 3, 4],
        );
      });

      clause(
        'ACTIVITY-011 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = [entry()];
          await port.add(given);
          tamper(given);
          tamper(await listed(port));
          const [one] = await listed(port);
          assert.deepEqual(one, { ...entry(), id: one?.id });
        },
      );

      clause('ACTIVITY-012 adds counts to those of their user, hour, kind and service', async ({ port }) => {
        await port.add([entry()], [sum(), sum({ userId: null }), sum({ hour: hour + 3_600_000 })]);
        await port.add(
          [],
          [sum({ count: 5, failed: 0, tokens: 1 }), sum({ kind: 'deliveries' }), sum({ service: 'vault' })],
        );
        await port.add([], [sum({ userId: 8 })]);
        assert.deepEqual(await port.usage({ userId: 7, since: hour }), [
          sum({ count: 7, failed: 1, tokens: 41 }),
          sum({ service: 'vault' }),
          sum({ kind: 'deliveries' }),
          sum({ hour: hour + 3_600_000 }),
        ]);
        assert.deepEqual(await port.usage({ userId: null, since: 0 }), [sum({ userId: null })]);
        assert.deepEqual(await port.usage({ userId: 7, since: hour + 1 }), [sum({ hour: hour + 3_600_000 })]);
        assert.deepEqual(await port.usage({ userId: 9, since: 0 }), []);
      });

      clause('ACTIVITY-015 has in each part of the time all that its hours have', async ({ port }) => {
        const hours = Array.from({ length: 9 }, (_, index) => hour + index * 3_600_000);
        await port.add(
          [],
          hours.map((one) => sum({ hour: one })),
        );
        await port.add([], [sum({ hour: hour - 3_600_000 }), sum({ userId: 8 })]);
        const parts = [0, 3, 4, 8].map((index) => hours[index] ?? 0);
        const found = await port.usage({ userId: 7, since: hour, parts });
        const counted = parts.map((from, index) => {
          const within = found.filter((one) => one.hour >= from && one.hour < (parts[index + 1] ?? Infinity));
          return within.reduce((total, one) => total + one.count, 0);
        });
        assert.deepEqual(
          counted.map((count) => count / sum().count),
          [3, 1, 4, 1],
        );
        const { userId, kind, service } = found[0] ?? {};
        assert.deepEqual({ userId, kind, service }, { userId: 7, kind: 'calls', service: sum().service });
      });

      clause('ACTIVITY-013 prunes the counts of hours before a time, which are no entries', async ({ port }) => {
        await port.add([], [sum({ hour: hour - 3_600_000 }), sum()]);
        assert.equal(await port.prune(hour), 0);
        assert.deepEqual(await port.usage({ userId: 7, since: 0 }), [sum()]);
      });

      clause('ACTIVITY-014 has all counts that are added concurrently', async ({ port }) => {
        const users = [7, 8, 9];
        await Promise.all(
          users.map((userId) =>
            port.add([], [sum({ userId: null }), ...users.map((each) => sum({ userId: each + userId }))]),
          ),
        );
        const [all] = await port.usage({ userId: null, since: hour });
        assert.deepEqual(all, sum({ userId: null, count: 6, failed: 3, tokens: 120 }));
      });

      lifeCycle(clause, {
        prefix: 'ACTIVITY',
        fill: async (port) => {
          await port.add([{ ...entry(), at: at - 1 }, entry(), bare()], [sum({ hour: hour + 3_600_000 })]);
          await port.prune(at);
        },
        read: async (port) => [await listed(port), await port.apps(7), await port.usage({ userId: 7, since: 0 })],
      });
    },
  });
}
