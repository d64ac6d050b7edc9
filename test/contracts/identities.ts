import assert from 'node:assert/strict';
import type { Identities } from '#application/ports/identities.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const full = () => ({
  id: 'Aa1-_',
  userId: 7,
  issuer: 'https://sso.example.com/realms/team',
  email: `${oddText}@example.com`,
  linkedAt: at,
  lastUsedAt: at + 1,
});
const bare = () => ({ ...full(), id: 'bare', email: null, linkedAt: at + 1, lastUsedAt: null });

/** Contract suite of stores of the identities of users at identity providers. */
export function identitiesContract<Handle extends Opened<Identities>>(
  runner: Runner,
  subject: Subject<Identities, Handle>,
): void {
  contract<Identities, Handle>(runner, subject, {
    port: 'identities',
    define: (clause) => {
      clause('IDENT-001 returns every field as it was stored', async ({ port }) => {
        assert.equal(await port.link(full()), true);
        assert.equal(await port.link(bare()), true);
        assert.deepEqual(await port.find('Aa1-_'), full());
        assert.deepEqual(await port.find('bare'), bare());
      });

      clause('IDENT-002 returns null for an id that was not linked, however similar', async ({ port }) => {
        await port.link(full());
        for (const id of ['aa1-_', 'AA1-_', 'Aa1-', 'Aa1-_ ', '%', ...oddTexts]) {
          assert.equal(await port.find(id), null, id);
        }
      });

      clause('IDENT-003 lists the identities of one user, the earliest first', async ({ port }) => {
        await port.link(bare());
        await port.link(full());
        await port.link({ ...full(), id: 'other', userId: 8 });
        assert.deepEqual(await port.list(7), [full(), bare()]);
        assert.deepEqual(await port.list(9), []);
      });

      clause('IDENT-004 leaves an identity with the user whose it is', async ({ port }) => {
        await port.link(full());
        assert.equal(await port.link({ ...bare(), id: 'Aa1-_', userId: 8 }), false);
        assert.equal(await port.link({ ...bare(), id: 'Aa1-_' }), false);
        assert.deepEqual(await port.find('Aa1-_'), full());
      });

      clause('IDENT-005 links an identity to exactly one of many concurrent callers', async ({ port }) => {
        const users = [1, 2, 3, 4, 5, 6, 7, 8];
        const linked = await Promise.all(users.map((userId) => port.link({ ...full(), userId })));
        assert.equal(linked.filter(Boolean).length, 1);
        assert.equal((await port.find('Aa1-_'))?.userId, users[linked.indexOf(true)]);
      });

      clause('IDENT-006 records a use of one identity', async ({ port }) => {
        await port.link(full());
        await port.link(bare());
        await port.noteUse('Aa1-_', { at: at + 9, email: null });
        await port.noteUse('unknown', { at: at + 9, email: null });
        assert.deepEqual(await port.list(7), [{ ...full(), lastUsedAt: at + 9, email: null }, bare()]);
        assert.equal(await port.find('unknown'), null);
      });

      clause('IDENT-007 unlinks an identity of the user once, and none of another', async ({ port }) => {
        await port.link(full());
        await port.link(bare());
        assert.equal(await port.unlink(8, 'Aa1-_'), false);
        assert.equal(await port.unlink(7, 'aa1-_'), false);
        assert.equal(await port.unlink(7, 'Aa1-_'), true);
        assert.equal(await port.unlink(7, 'Aa1-_'), false);
        assert.equal(await port.find('Aa1-_'), null);
        assert.deepEqual(await port.list(7), [bare()]);
      });

      clause('IDENT-008 keeps the identities of a deleted user, without the user and the e-mail', async ({ port }) => {
        await port.link(full());
        await port.link(bare());
        await port.link({ ...full(), id: 'other', userId: 8 });
        assert.equal(await port.forgetUser(7), 2);
        assert.equal(await port.forgetUser(7), 0);
        assert.deepEqual(await port.find('Aa1-_'), { ...full(), userId: null, email: null });
        assert.deepEqual(await port.list(7), []);
        assert.equal((await port.find('other'))?.userId, 8);
        await port.noteUse('Aa1-_', { at: at + 9, email: 'a@example.com' });
        assert.deepEqual(await port.find('Aa1-_'), { ...full(), userId: null, email: null });
        assert.equal(await port.unlink(7, 'Aa1-_'), false);
      });

      clause('IDENT-009 links the identity of a deleted user again, and no other', async ({ port }) => {
        await port.link(full());
        await port.link(bare());
        await port.forgetUser(7);
        const again = { ...full(), userId: 9, issuer: 'https://other.example.com', linkedAt: at + 5, lastUsedAt: null };
        assert.equal(await port.link(again), true);
        assert.deepEqual(await port.find('Aa1-_'), again);
        assert.equal((await port.find('bare'))?.userId, null);
        assert.equal(await port.link(full()), false);
      });

      clause('IDENT-010 shows a change at once to callers that have read before', async ({ port }) => {
        assert.equal(await port.find('Aa1-_'), null);
        await port.list(7);
        await port.link(full());
        assert.deepEqual(await port.find('Aa1-_'), full());
        assert.deepEqual(await port.list(7), [full()]);
        await port.unlink(7, 'Aa1-_');
        assert.deepEqual(await port.list(7), []);
      });

      clause(
        'IDENT-011 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = full();
          await port.link(given);
          tamper(given);
          for (const look of [() => port.find('Aa1-_'), () => port.list(7)]) {
            tamper(await look());
            assert.deepEqual(await port.find('Aa1-_'), full());
            assert.deepEqual(await port.list(7), [full()]);
          }
        },
      );

      lifeCycle(clause, {
        prefix: 'IDENT',
        fill: async (port) => {
          await port.link(full());
          await port.link(bare());
          await port.link({ ...full(), id: 'gone', userId: 8 });
          await port.forgetUser(8);
          await port.noteUse('bare', { at, email: 'bare@example.com' });
        },
        read: async (port) => [await port.list(7), await port.find('gone')],
      });
    },
  });
}
