import assert from 'node:assert/strict';
import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_700_123;

/** A registration whose columns all have different values. */
const full = (): WebhookRegistration => ({
  userId: 7,
  service: 'suite_crm',
  name: 'records',
  events: ['Leads.all', 'Deals.all'],
  url: 'https://portolan.example/webhooks/suite_crm',
  secretFingerprint: 'aB3_x-9z',
  account: 'acme',
  state: 'active',
  since: at + 1,
  remoteId: '81234567890123',
  registeredAt: at + 2,
  expiresAt: at + 3,
  checkedAt: at + 4,
  failures: 2,
  retryAt: at + 5,
  reason: 'The suite CRM answered 503.',
  version: 0,
});
/** A registration with null in every nullable column. */
const bare = (): WebhookRegistration => ({
  ...full(),
  userId: 8,
  service: 'signing',
  events: [],
  secretFingerprint: null,
  account: null,
  state: 'wanted',
  remoteId: null,
  registeredAt: null,
  expiresAt: null,
  checkedAt: null,
  failures: 0,
  retryAt: null,
  reason: null,
});

/** Contract suite of stores of webhook registrations (WREG-001 to WREG-004). */
export function registrationsContract<Handle extends Opened<WebhookRegistrations>>(
  runner: Runner,
  subject: Subject<WebhookRegistrations, Handle>,
): void {
  const kept = async (port: WebhookRegistrations, line: WebhookRegistration): Promise<WebhookRegistration> => {
    const stored = await port.keep(line);
    assert.ok(stored !== null);
    return stored;
  };

  contract<WebhookRegistrations, Handle>(runner, subject, {
    port: 'webhook registrations',
    define: (clause) => {
      clause('LEDGER-001 returns every member of a row, with its new version', async ({ port }) => {
        assert.deepEqual(await port.list(), []);
        assert.deepEqual(await port.keep(full()), { ...full(), version: 1 });
        assert.deepEqual(await port.list(), [{ ...full(), version: 1 }]);
      });

      clause('LEDGER-002 stores null for missing values', async ({ port }) => {
        await port.keep(bare());
        assert.deepEqual(await port.list(), [{ ...bare(), version: 1 }]);
      });

      clause('LEDGER-003 has one row per user, service and name: a second initial row is refused', async ({ port }) => {
        await port.keep(full());
        assert.equal(await port.keep({ ...full(), remoteId: 'another' }), null);
        assert.deepEqual(await port.list(), [{ ...full(), version: 1 }]);
      });

      clause('LEDGER-004 applies one of two changes of the same version', async ({ port }) => {
        const first = await kept(port, full());
        const names = ['one', 'two', 'three'];
        const changes = await Promise.all(names.map((remoteId) => port.keep({ ...first, remoteId })));
        const done = changes.filter((change) => change !== null);
        assert.equal(done.length, 1);
        assert.deepEqual(await port.list(), [{ ...first, remoteId: done[0]?.remoteId, version: 2 }]);
      });

      clause('LEDGER-005 removes a row only at the given version', async ({ port }) => {
        const first = await kept(port, full());
        const second = await kept(port, { ...first, state: 'left' });
        assert.equal(await port.remove(first), false);
        assert.deepEqual(await port.list(), [second]);
        assert.equal(await port.remove(second), true);
        assert.equal(await port.remove(second), false);
        assert.deepEqual(await port.list(), []);
      });

      clause('LEDGER-006 lists by user, service and name', async ({ port }) => {
        const names = [
          [10, 'signing', 'documents'],
          [2, 'suite_crm', 'records'],
          [2, 'sales_crm', 'updated.person'],
          [2, 'sales_crm', 'updated.deal'],
        ] as const;
        for (const [userId, service, name] of names) await port.keep({ ...full(), userId, service, name });
        const listed = (await port.list()).map(({ userId, service, name }) => [userId, service, name]);
        assert.deepEqual(listed, names.toReversed());
      });

      clause('LEDGER-007 changes every member of a row but its key', async ({ port }) => {
        const first = await kept(port, full());
        const second = await kept(port, { ...bare(), userId: 7, service: 'suite_crm', version: first.version });
        assert.deepEqual(second, { ...bare(), userId: 7, service: 'suite_crm', version: 2 });
        assert.deepEqual(await port.list(), [second]);
        const third = await kept(port, { ...full(), version: 2, failures: 3, state: 'uncertain' });
        assert.deepEqual(third, { ...full(), failures: 3, state: 'uncertain', version: 3 });
        assert.deepEqual(await port.list(), [third]);
      });

      clause('LEDGER-008 refuses a version that is not the stored one, and changes nothing', async ({ port }) => {
        const first = await kept(port, full());
        const second = await kept(port, { ...first, remoteId: 'second' });
        for (const version of [0, 1, 3]) assert.equal(await port.keep({ ...full(), version, remoteId: 'late' }), null);
        assert.deepEqual(await port.list(), [second]);
      });

      clause('LEDGER-009 does not restore a row that was removed meanwhile', async ({ port }) => {
        const first = await kept(port, full());
        await port.remove(first);
        assert.equal(await port.keep({ ...first, remoteId: 'late' }), null);
        assert.deepEqual(await port.list(), []);
        assert.deepEqual(await port.keep(full()), { ...full(), version: 1 });
      });

      clause('LEDGER-010 changes and removes a row of one user, service and name, and no other', async ({ port }) => {
        const near = [
          full(),
          { ...full(), userId: 8 },
          { ...full(), service: 'tracker' },
          { ...full(), name: 'other' },
        ];
        const stored = await Promise.all(near.map((line) => kept(port, line)));
        const [first] = await Promise.all(stored.map((line) => kept(port, line)));
        assert.ok(first !== undefined);
        const changed = await kept(port, { ...first, remoteId: 'changed' });
        const remote = async () => (await port.list()).map(({ remoteId }) => remoteId);
        assert.deepEqual(await remote(), [full().remoteId, 'changed', full().remoteId, full().remoteId]);
        for (const line of stored.slice(1)) await kept(port, { ...line, version: 2 });
        assert.equal(await port.remove(changed), true);
        assert.deepEqual(await remote(), [full().remoteId, full().remoteId, full().remoteId]);
      });

      clause('LEDGER-011 stores one of several concurrent initial rows with the same key', async ({ port }) => {
        const names = ['one', 'two', 'three', 'four'];
        const all = await Promise.all(names.map((remoteId) => port.keep({ ...full(), remoteId })));
        const done = all.filter((line) => line !== null);
        assert.equal(done.length, 1);
        assert.deepEqual(await port.list(), done);
      });

      clause('LEDGER-012 removes a row once when many callers remove it concurrently', async ({ port }) => {
        const first = await kept(port, full());
        const removed = await Promise.all([1, 2, 3, 4].map(() => port.remove(first)));
        assert.equal(removed.filter(Boolean).length, 1);
      });

      clause('LEDGER-013 stores any text', async ({ port }) => {
        const line = {
          ...full(),
          name: oddText,
          url: oddText,
          account: oddText,
          reason: oddText,
          events: [...oddTexts],
        };
        await port.keep(line);
        assert.deepEqual(await port.list(), [{ ...line, version: 1 }]);
      });

      clause(
        'LEDGER-014 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = full();
          tamper(await port.keep(given));
          tamper(given);
          assert.deepEqual(await port.list(), [{ ...full(), version: 1 }]);
          tamper(await port.list());
          assert.deepEqual(await port.list(), [{ ...full(), version: 1 }]);
        },
      );

      clause(
        'LEDGER-015 applies one of the changes of two processes',
        async ({ port, beside }) => {
          const other = await beside();
          const first = await kept(port, full());
          const changes = await Promise.all([port, other].map((one, index) => one.keep({ ...first, failures: index })));
          const done = changes.filter((change) => change !== null);
          assert.equal(done.length, 1);
          assert.deepEqual(await other.list(), done);
        },
        'processes',
      );

      lifeCycle(clause, {
        prefix: 'LEDGER',
        fill: async (port) => {
          await port.keep(bare());
          await port.keep({ ...(await kept(port, full())), failures: 9 });
          await port.remove(await kept(port, { ...full(), name: 'removed' }));
        },
        read: (port) => port.list(),
      });
    },
  });
}
