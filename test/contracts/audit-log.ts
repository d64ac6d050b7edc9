import assert from 'node:assert/strict';
import type { AuditLog, AuditQuery } from '#application/ports/audit-log.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

const at = 1_769_172_711_789;
const entry = (): AuditEntry => ({
  at,
  actorId: 1,
  action: 'user.rights_changed',
  userId: 7,
  subject: 'Reactions/“Won” 🧭.md',
  detail: 'tracker, vault; administrator',
});
const bare = (): AuditEntry => ({
  at: at + 1,
  actorId: null,
  action: 'user.invited',
  userId: null,
  subject: null,
  detail: null,
});
const listed = async (port: AuditLog, query: Partial<AuditQuery> = {}) => port.list({ limit: 100, ...query });
const times = async (port: AuditLog, query: Partial<AuditQuery> = {}) =>
  (await listed(port, query)).map((one) => one.at - at);

/** Contract suite of the audit log. */
export function auditLogContract<Handle extends Opened<AuditLog>>(
  runner: Runner,
  subject: Subject<AuditLog, Handle>,
): void {
  contract<AuditLog, Handle>(runner, subject, {
    port: 'audit log',
    define: (clause) => {
      clause('AUDITLOG-001 returns every field as it was added, and an id', async ({ port }) => {
        await port.add(entry());
        await port.add(bare());
        const [second, first] = await listed(port);
        assert.ok(first !== undefined && second !== undefined && first.id < second.id);
        assert.deepEqual(first, { ...entry(), id: first.id });
        assert.deepEqual(second, { ...bare(), id: second.id });
      });

      clause('AUDITLOG-002 lists the entry added last first, whatever the times are', async ({ port }) => {
        assert.deepEqual(await listed(port), []);
        for (const later of [0, 5, 2]) await port.add({ ...entry(), at: at + later });
        assert.deepEqual(await times(port), [2, 5, 0]);
      });

      clause('AUDITLOG-003 lists what a user did and what was done to them, and one action', async ({ port }) => {
        await port.add(entry());
        await port.add({ ...entry(), at: at + 1, actorId: 7, userId: 9 });
        await port.add({ ...entry(), at: at + 2, actorId: 7, userId: null, action: 'delivery.replayed' });
        await port.add({ ...entry(), at: at + 3, actorId: null, userId: 8 });
        assert.deepEqual(await times(port, { about: 7 }), [2, 1, 0]);
        assert.deepEqual(await times(port, { about: 9 }), [1]);
        assert.deepEqual(await times(port, { about: 10 }), []);
        assert.deepEqual(await times(port, { action: 'delivery.replayed' }), [2]);
        assert.deepEqual(await times(port, { about: 7, action: 'user.rights_changed' }), [1, 0]);
      });

      clause('AUDITLOG-004 lists the entries between two times', async ({ port }) => {
        for (const later of [0, 1, 2, 3]) await port.add({ ...entry(), at: at + later });
        assert.deepEqual(await times(port, { from: at + 1 }), [3, 2, 1]);
        assert.deepEqual(await times(port, { until: at + 2 }), [1, 0]);
        assert.deepEqual(await times(port, { from: at + 1, until: at + 3, about: 1 }), [2, 1]);
      });

      clause('AUDITLOG-005 lists at most as many as asked for, and continues before an id', async ({ port }) => {
        for (const later of [0, 1, 2, 3, 4]) {
          await port.add({ ...entry(), at: at + later, userId: later === 2 ? 8 : 7 });
        }
        const first = await listed(port, { limit: 2, about: 7 });
        assert.deepEqual(
          first.map((one) => one.at - at),
          [4, 3],
        );
        assert.deepEqual(await times(port, { limit: 2, about: 7, before: first[1]?.id ?? 0 }), [1, 0]);
      });

      clause(
        'AUDITLOG-006 prunes entries from before a time, returns their number, and never uses an id twice',
        async ({ port }) => {
          for (const later of [-2, -1, 0]) await port.add({ ...entry(), at: at + later });
          const last = (await listed(port))[0]?.id ?? 0;
          assert.equal(await port.prune(at), 2);
          assert.deepEqual(await times(port), [0]);
          assert.equal(await port.prune(at + 1), 1);
          await port.add(entry());
          assert.ok(((await listed(port))[0]?.id ?? 0) > last);
        },
      );

      clause('AUDITLOG-007 has all entries that are added concurrently', async ({ port }) => {
        await Promise.all([1, 2, 3, 4].map((later) => port.add({ ...entry(), at: at + later })));
        assert.deepEqual(
          (await times(port)).toSorted((left, right) => left - right),
          [1, 2, 3, 4],
        );
      });

      clause(
        'AUDITLOG-008 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = entry();
          await port.add(given);
          tamper(given);
          tamper(await listed(port));
          const [one] = await listed(port);
          assert.deepEqual(one, { ...entry(), id: one?.id });
        },
      );

      lifeCycle(clause, {
        prefix: 'AUDITLOG',
        fill: async (port) => {
          await port.add({ ...entry(), at: at - 1 });
          await port.add(entry());
          await port.add(bare());
          await port.prune(at);
        },
        read: (port) => listed(port),
      });
    },
  });
}
