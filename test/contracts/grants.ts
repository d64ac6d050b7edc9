import assert from 'node:assert/strict';
import type { Grants } from '#application/ports/grants.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const grant = (): AppGrant => ({
  id: 'Aa1-_',
  userId: 7,
  clientId: 'client_abc',
  clientName: 'Ada’s “Agent” 🧭',
  scope: 'tracker:read vault',
  since: at,
  ask: null,
  lastUsedAt: null,
  expiresAt: null,
  switchedOff: [],
});
const whole = (): AppGrant => ({ ...grant(), id: 'whole', scope: '*', since: at + 1 });

/** Contract suite of stores of app grants. */
export function grantsContract<Handle extends Opened<Grants>>(runner: Runner, subject: Subject<Grants, Handle>): void {
  contract<Grants, Handle>(runner, subject, {
    port: 'grants',
    define: (clause) => {
      clause('GRANTS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(grant());
        await port.keep(whole());
        await port.keep({ ...grant(), id: 'none', scope: 'vault:read', lastUsedAt: at + 5 });
        await port.keep({ ...grant(), id: 'asks', ask: 'change' });
        await port.keep({ ...grant(), id: 'ends', expiresAt: at + 9 });
        assert.deepEqual(await port.find('ends'), { ...grant(), id: 'ends', expiresAt: at + 9 });
        assert.deepEqual(await port.find('Aa1-_'), grant());
        assert.deepEqual(await port.find('whole'), whole());
        assert.deepEqual(await port.find('asks'), { ...grant(), id: 'asks', ask: 'change' });
        assert.deepEqual(await port.find('none'), { ...grant(), id: 'none', scope: 'vault:read', lastUsedAt: at + 5 });
      });

      clause('GRANTS-002 returns null for an id that no grant has, however similar', async ({ port }) => {
        await port.keep(grant());
        for (const id of ['aa1-_', 'AA1-_', 'Aa1-', 'Aa1-_ ', '%', ...oddTexts]) {
          assert.equal(await port.find(id), null, id);
        }
      });

      clause('GRANTS-003 lists only the grants of the user, latest first', async ({ port }) => {
        assert.deepEqual(await port.list(7), []);
        await port.keep(grant());
        await port.keep(whole());
        await port.keep({ ...grant(), id: 'other', userId: 8 });
        await port.keep({ ...grant(), id: 'early', since: at - 1 });
        assert.deepEqual(
          (await port.list(7)).map(({ id }) => id),
          ['whole', 'Aa1-_', 'early'],
        );
        assert.deepEqual((await port.list(7))[1], grant());
        assert.deepEqual(await port.list(8), [{ ...grant(), id: 'other', userId: 8 }]);
        assert.deepEqual(await port.list(9), []);
      });

      clause('GRANTS-004 records the use of one grant, and never replaces it by an earlier use', async ({ port }) => {
        await port.keep(grant());
        await port.keep(whole());
        await port.noteUse('Aa1-_', at + 60_000);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), lastUsedAt: at + 60_000 });
        await port.noteUse('Aa1-_', at + 1);
        assert.equal((await port.find('Aa1-_'))?.lastUsedAt, at + 60_000);
        await port.noteUse('Aa1-_', at + 60_001);
        assert.equal((await port.find('Aa1-_'))?.lastUsedAt, at + 60_001);
        assert.deepEqual(await port.find('whole'), whole());
      });

      clause('GRANTS-005 ignores the use of a removed grant, and does not restore it', async ({ port }) => {
        await port.noteUse('gone', at);
        assert.equal(await port.find('gone'), null);
        await port.keep(grant());
        await port.remove(7, 'Aa1-_');
        await port.noteUse('Aa1-_', at);
        assert.deepEqual(await port.list(7), []);
      });

      clause('GRANTS-006 removes a grant of the user once', async ({ port }) => {
        await port.keep(grant());
        await port.keep(whole());
        assert.equal(await port.remove(7, 'Aa1-_'), true);
        assert.equal(await port.find('Aa1-_'), null);
        assert.deepEqual(await port.list(7), [whole()]);
        assert.equal(await port.remove(7, 'Aa1-_'), false);
      });

      clause('GRANTS-007 removes no grant of another user', async ({ port }) => {
        await port.keep(grant());
        assert.equal(await port.remove(8, 'Aa1-_'), false);
        assert.equal(await port.remove(7, 'aa1-_'), false);
        for (const id of oddTexts) assert.equal(await port.remove(7, id), false, id);
        assert.deepEqual(await port.find('Aa1-_'), grant());
      });

      clause('GRANTS-008 lets exactly one of many callers remove a grant', async ({ port }) => {
        await port.keep(grant());
        const removed = await Promise.all([1, 2, 3, 4].map(() => port.remove(7, 'Aa1-_')));
        assert.equal(removed.filter(Boolean).length, 1);
      });

      clause('GRANTS-009 prunes grants of all users from before a time, and returns their number', async ({ port }) => {
        await port.keep(grant());
        await port.keep({ ...grant(), id: 'early', since: at - 1 });
        await port.keep({ ...grant(), id: 'earlier', since: at - 2, userId: 8, lastUsedAt: at });
        assert.equal(await port.prune(at), 2);
        assert.deepEqual(await port.list(7), [grant()]);
        assert.deepEqual(await port.list(8), []);
        assert.equal(await port.prune(at), 0);
      });

      clause('GRANTS-010 shows a change at once to callers that have read before', async ({ port }) => {
        assert.equal(await port.find('Aa1-_'), null);
        await port.list(7);
        await port.keep(grant());
        assert.deepEqual(await port.find('Aa1-_'), grant());
        assert.deepEqual(await port.list(7), [grant()]);
        await port.remove(7, 'Aa1-_');
        assert.equal(await port.find('Aa1-_'), null);
        assert.deepEqual(await port.list(7), []);
      });

      clause(
        'GRANTS-011 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = grant();
          await port.keep(given);
          tamper(given);
          for (const look of [() => port.find('Aa1-_'), () => port.list(7)]) {
            tamper(await look());
            assert.deepEqual(await port.find('Aa1-_'), grant());
            assert.deepEqual(await port.list(7), [grant()]);
          }
        },
      );

      clause('GRANTS-012 changes what the user is asked before, of a grant of that user only', async ({ port }) => {
        await port.keep(grant());
        await port.keep(whole());
        assert.equal(await port.change(7, 'Aa1-_', { ask: 'lose' }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), ask: 'lose' });
        assert.deepEqual(await port.find('whole'), whole());
        assert.equal(await port.change(8, 'Aa1-_', { ask: 'never' }), false);
        assert.equal(await port.change(7, 'aa1-_', { ask: 'never' }), false);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), ask: 'lose' });
        assert.equal(await port.change(7, 'Aa1-_', { ask: null }), true);
        assert.deepEqual(await port.find('Aa1-_'), grant());
      });

      clause('GRANTS-013 changes the scope and the switches of a grant, and nothing else', async ({ port }) => {
        const off = ['vault:notes.delete', 'tracker:*write'];
        await port.keep(grant());
        await port.keep({ ...grant(), id: 'off', switchedOff: off });
        assert.deepEqual(await port.find('off'), { ...grant(), id: 'off', switchedOff: off });
        assert.equal(await port.change(8, 'Aa1-_', { scope: '*', switchedOff: off }), false);
        assert.deepEqual(await port.find('Aa1-_'), grant());
        assert.equal(await port.change(7, 'Aa1-_', { scope: 'vault:read' }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), scope: 'vault:read' });
        assert.equal(await port.change(7, 'Aa1-_', { scope: '*', switchedOff: off }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), scope: '*', switchedOff: off });
        assert.equal(await port.change(7, 'Aa1-_', { ask: 'lose', switchedOff: [] }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...grant(), scope: '*', ask: 'lose' });
        assert.deepEqual(await port.find('off'), { ...grant(), id: 'off', switchedOff: off });
      });

      lifeCycle(clause, {
        prefix: 'GRANTS',
        fill: async (port) => {
          await port.keep(grant());
          await port.keep(whole());
          await port.keep({ ...grant(), id: 'gone' });
          await port.noteUse('Aa1-_', at + 60_000);
          await port.remove(7, 'gone');
        },
        read: async (port) => [await port.list(7), await port.find('whole'), await port.find('gone')],
      });
    },
  });
}
