import assert from 'node:assert/strict';
import type { KeptChangeStore, StoredKeptChange } from '#adapters/contracts/change-stores.ts';
import type { KeptQuery, KeptSummary } from '#application/ports/kept-changes.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const change = (): StoredKeptChange => ({
  id: 'Aa1-_',
  userId: 7,
  grantId: 'grant-1',
  app: 'Ada’s “Agent” 🧭',
  service: 'sales_crm',
  operation: 'deals.update',
  effect: 'change',
  recordId: '42',
  at,
  account: 'acme.example',
  state: 'begun',
  undoneAt: null,
  undoOf: null,
  partOf: null,
  irreversible: null,
  content: `sealed ${oddText}`,
});
const bare = (): StoredKeptChange => ({
  ...change(),
  id: 'bare',
  at: at + 1,
  grantId: null,
  app: null,
  service: 'vault',
  operation: 'notes.delete',
  effect: 'lose',
  recordId: null,
  account: '',
  state: 'undone',
  undoneAt: at + 5,
  undoOf: 'Aa1-_',
  partOf: 'p-1',
  irreversible: 'sealed reason',
});
function summaryOf(stored: StoredKeptChange): KeptSummary {
  const { content: _, ...summary } = stored;
  return summary;
}
const ids = async (port: KeptChangeStore, query: Partial<KeptQuery> = {}) =>
  (await port.list({ limit: 100, ...query })).map(({ id }) => id);

/** Contract suite of stores of kept changes, which are given encrypted texts. */
export function keptChangesContract<Handle extends Opened<KeptChangeStore>>(
  runner: Runner,
  subject: Subject<KeptChangeStore, Handle>,
): void {
  contract<KeptChangeStore, Handle>(runner, subject, {
    port: 'kept changes',
    define: (clause) => {
      clause('KEPT-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(change());
        await port.keep(bare());
        assert.deepEqual(await port.find('Aa1-_'), change());
        assert.deepEqual(await port.find('bare'), bare());
        assert.deepEqual(await port.list({ limit: 100 }), [summaryOf(bare()), summaryOf(change())]);
      });

      clause('KEPT-002 returns null for an id that none has, however similar', async ({ port }) => {
        await port.keep(change());
        for (const id of ['aa1-_', 'Aa1-', 'Aa1-_ ', '%', ...oddTexts]) assert.equal(await port.find(id), null, id);
        assert.deepEqual(await port.summaries(['aa1-_', '%', '']), []);
      });

      clause('KEPT-003 lists without contents, the latest first, at most as many as asked for', async ({ port }) => {
        assert.deepEqual(await ids(port), []);
        await port.keep(change());
        await port.keep({ ...change(), id: 'late', at: at + 2 });
        await port.keep({ ...change(), id: 'Bb', at });
        await port.keep({ ...change(), id: 'early', at: at - 2 });
        assert.deepEqual(await ids(port), ['late', 'Bb', 'Aa1-_', 'early']);
        assert.deepEqual(await ids(port, { limit: 2 }), ['late', 'Bb']);
        assert.deepEqual(await ids(port, { before: { at, id: 'Bb' } }), ['Aa1-_', 'early']);
        assert.deepEqual(await ids(port, { before: { at, id: 'Aa1-_' } }), ['early']);
        assert.deepEqual(await ids(port, { before: { at: at - 2, id: 'early' } }), []);
        assert.equal('content' in ((await port.list({ limit: 1 }))[0] ?? {}), false);
      });

      clause(
        'KEPT-004 lists those of a user, a grant, a service, a record, an account, and since a time',
        async ({ port }) => {
          await port.keep(change());
          await port.keep({ ...change(), id: 'user', userId: 8, at: at + 1 });
          await port.keep({ ...change(), id: 'grant', grantId: 'grant-2', at: at + 2 });
          await port.keep({ ...change(), id: 'service', service: 'tracker', at: at + 3 });
          await port.keep({ ...change(), id: 'record', recordId: '43', at: at + 4 });
          await port.keep({ ...change(), id: 'no grant', grantId: null, recordId: null, at: at + 5 });
          assert.deepEqual(await ids(port, { userId: 7 }), ['no grant', 'record', 'service', 'grant', 'Aa1-_']);
          assert.deepEqual(await ids(port, { grantId: 'grant-1' }), ['record', 'service', 'user', 'Aa1-_']);
          assert.deepEqual(await ids(port, { service: 'tracker' }), ['service']);
          assert.deepEqual(await ids(port, { service: 'sales_crm', recordId: '42' }), ['grant', 'user', 'Aa1-_']);
          await port.keep({
            ...change(),
            id: 'account',
            userId: 9,
            grantId: 'grant-9',
            account: 'b.example',
            at: at - 1,
          });
          assert.deepEqual(await ids(port, { account: 'b.example' }), ['account']);
          assert.deepEqual(await ids(port, { account: 'B.example' }), []);
          assert.deepEqual(await ids(port, { since: at + 4 }), ['no grant', 'record']);
          assert.deepEqual(
            await ids(port, { userId: 7, grantId: 'grant-1', since: at + 1, before: { at: at + 4, id: 'record' } }),
            ['service'],
          );
          for (const odd of ['%', 'GRANT-1', "' or 1=1 --"])
            assert.deepEqual(await ids(port, { grantId: odd }), [], odd);
        },
      );

      clause('KEPT-005 returns those of given ids without contents', async ({ port }) => {
        await port.keep(change());
        await port.keep(bare());
        await port.keep({ ...change(), id: 'other' });
        const found = await port.summaries(['bare', 'none', 'Aa1-_']);
        assert.deepEqual(
          found.toSorted((left, right) => left.at - right.at),
          [summaryOf(change()), summaryOf(bare())],
        );
        assert.deepEqual(await port.summaries([]), []);
      });

      clause('KEPT-006 completes a change that was begun, and no other', async ({ port }) => {
        const settled = { recordId: '77', content: 'sealed again', irreversible: 'why' };
        for (const state of ['begun', 'kept', 'undoing', 'undone'] as const) {
          await port.keep({ ...change(), id: state, state });
          await port.settle(state, settled);
        }
        assert.deepEqual(await port.find('begun'), { ...change(), id: 'begun', ...settled, state: 'kept' });
        for (const state of ['kept', 'undoing', 'undone'] as const) {
          assert.deepEqual(await port.find(state), { ...change(), id: state, state });
        }
        await port.settle('none', settled);
        assert.equal(await port.find('none'), null);
        await port.keep({ ...change(), id: 'known', state: 'begun' });
        await port.settle('known', { recordId: '78' });
        assert.deepEqual(await port.find('known'), { ...change(), id: 'known', recordId: '78', state: 'kept' });
      });

      clause('KEPT-007 removes one', async ({ port }) => {
        await port.keep(change());
        await port.keep(bare());
        await port.remove('Aa1-_');
        await port.remove('none');
        assert.deepEqual(await ids(port), ['bare']);
      });

      clause('KEPT-008 moves one from the state that is named, and not from another', async ({ port }) => {
        await port.keep({ ...change(), state: 'kept' });
        await port.keep({ ...change(), id: 'other', state: 'kept' });
        assert.equal(await port.move('Aa1-_', 'begun', { state: 'undoing', undoneAt: null }), false);
        assert.equal(await port.move('none', 'kept', { state: 'undoing', undoneAt: null }), false);
        assert.deepEqual(await port.find('Aa1-_'), { ...change(), state: 'kept' });
        assert.equal(await port.move('Aa1-_', 'kept', { state: 'undoing', undoneAt: null }), true);
        assert.equal(await port.move('Aa1-_', 'undoing', { state: 'undone', undoneAt: at + 9 }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...change(), state: 'undone', undoneAt: at + 9 });
        assert.deepEqual(await port.find('other'), { ...change(), id: 'other', state: 'kept' });
      });

      clause('KEPT-009 lets exactly one of many callers move one', async ({ port }) => {
        await port.keep({ ...change(), state: 'kept' });
        const moved = await Promise.all(
          [1, 2, 3, 4].map(() => port.move('Aa1-_', 'kept', { state: 'undoing', undoneAt: null })),
        );
        assert.equal(moved.filter(Boolean).length, 1);
      });

      clause('KEPT-010 removes all of a user, and nothing else', async ({ port }) => {
        await port.keep(change());
        await port.keep(bare());
        await port.keep({ ...change(), id: 'other', userId: 8 });
        await port.removeOf(7);
        await port.removeOf(9);
        assert.deepEqual(await ids(port), ['other']);
      });

      clause('KEPT-011 prunes those made before a time, and returns their number', async ({ port }) => {
        await port.keep(change());
        await port.keep({ ...change(), id: 'early', at: at - 1 });
        await port.keep({ ...change(), id: 'earlier', at: at - 2, userId: 8, state: 'undone', undoneAt: at });
        assert.equal(await port.prune(at), 2);
        assert.deepEqual(await ids(port), ['Aa1-_']);
        assert.equal(await port.prune(at), 0);
      });

      clause('KEPT-012 lists encrypted texts in pages, by id', async ({ port }) => {
        await port.keep({ ...change(), id: 'b' });
        await port.keep({ ...bare(), id: 'a' });
        await port.keep({ ...change(), id: 'c', content: 'third' });
        const { content, irreversible } = bare();
        const first = { id: 'a', texts: { content, irreversible } };
        const second = { id: 'b', texts: { content: change().content, irreversible: null } };
        assert.deepEqual(await port.sealedRows({ after: null, limit: 2 }), [first, second]);
        assert.deepEqual(await port.sealedRows({ after: 'b', limit: 2 }), [
          { id: 'c', texts: { content: 'third', irreversible: null } },
        ]);
        assert.deepEqual(await port.sealedRows({ after: 'c', limit: 2 }), []);
      });

      clause('KEPT-013 replaces encrypted texts only if they are unchanged', async ({ port }) => {
        await port.keep(change());
        const before = { id: 'Aa1-_', texts: { content: change().content, irreversible: null } };
        const after = { content: 'sealed by another key', irreversible: null };
        assert.equal(await port.reseal({ ...before, texts: { ...before.texts, content: 'other' } }, after), false);
        assert.equal(await port.reseal({ ...before, texts: { ...before.texts, irreversible: 'other' } }, after), false);
        assert.equal(await port.reseal({ ...before, id: 'none' }, after), false);
        assert.deepEqual(await port.find('Aa1-_'), change());
        assert.equal(await port.reseal(before, after), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...change(), ...after });
        assert.equal(await port.reseal({ id: 'Aa1-_', texts: after }, { content: 'third', irreversible: 'why' }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...change(), content: 'third', irreversible: 'why' });
      });

      clause('KEPT-014 stores contents of 8 MB', async ({ port }) => {
        const content = 'é'.repeat(4 * 1024 * 1024);
        await port.keep({ ...change(), content });
        assert.equal((await port.find('Aa1-_'))?.content === content, true);
      });

      clause(
        'KEPT-015 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = change();
          await port.keep(given);
          tamper(given);
          tamper(await port.find('Aa1-_'));
          tamper(await port.list({ limit: 10 }));
          assert.deepEqual(await port.find('Aa1-_'), change());
          assert.deepEqual(await port.list({ limit: 10 }), [summaryOf(change())]);
        },
      );

      lifeCycle(clause, {
        prefix: 'KEPT',
        fill: async (port) => {
          await port.keep(change());
          await port.keep(bare());
          await port.keep({ ...change(), id: 'gone' });
          await port.settle('Aa1-_', { recordId: '1', content: 'settled', irreversible: null });
          await port.move('Aa1-_', 'kept', { state: 'undoing', undoneAt: null });
          await port.remove('gone');
        },
        read: async (port) => [await port.list({ limit: 10 }), await port.find('Aa1-_'), await port.find('gone')],
      });
    },
  });
}
