import assert from 'node:assert/strict';
import type { ApprovalStore, StoredApproval } from '#adapters/contracts/change-stores.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const approval = (): StoredApproval => ({
  id: 'Aa1-_',
  userId: 7,
  grantId: 'grant-1',
  app: 'Ada’s “Agent” 🧭',
  service: 'tracker',
  operation: 'issues.update',
  effect: 'change',
  at,
  expiresAt: at + 1_000,
  state: 'waiting',
  decidedAt: null,
  digest: 'digest',
  inputDigest: 'input digest',
  content: `sealed ${oddText}`,
  comment: null,
  outcome: null,
});
const decided = (): StoredApproval => ({
  ...approval(),
  id: 'decided',
  app: null,
  at: at + 1,
  effect: 'lose',
  state: 'done',
  decidedAt: at + 2,
  comment: 'sealed comment',
  outcome: 'sealed outcome',
});
const idsOf = (found: readonly StoredApproval[]) => found.map(({ id }) => id);

/** Contract suite of stores of approvals, which are given encrypted texts. */
export function approvalsContract<Handle extends Opened<ApprovalStore>>(
  runner: Runner,
  subject: Subject<ApprovalStore, Handle>,
): void {
  contract<ApprovalStore, Handle>(runner, subject, {
    port: 'approvals',
    define: (clause) => {
      clause('APPROVALS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(approval());
        await port.keep(decided());
        assert.deepEqual(await port.find('Aa1-_'), approval());
        assert.deepEqual(await port.find('decided'), decided());
        assert.deepEqual(await port.list({ userId: 7, limit: 10 }), [decided(), approval()]);
      });

      clause('APPROVALS-002 returns null for an id that none has, however similar', async ({ port }) => {
        await port.keep(approval());
        for (const id of ['aa1-_', 'Aa1-', 'Aa1-_ ', '%', ...oddTexts]) assert.equal(await port.find(id), null, id);
      });

      clause('APPROVALS-003 lists those of a user, the latest first, and those that wait only', async ({ port }) => {
        await port.keep(approval());
        await port.keep({ ...approval(), id: 'Bb', digest: 'b' });
        await port.keep({ ...approval(), id: 'late', at: at + 5, digest: 'late' });
        await port.keep({ ...approval(), id: 'other', userId: 8 });
        await port.keep(decided());
        assert.deepEqual(idsOf(await port.list({ userId: 7, limit: 10 })), ['late', 'decided', 'Bb', 'Aa1-_']);
        assert.deepEqual(idsOf(await port.list({ userId: 7, isWaiting: true, limit: 10 })), ['late', 'Bb', 'Aa1-_']);
        assert.deepEqual(idsOf(await port.list({ userId: 7, isWaiting: true, limit: 2 })), ['late', 'Bb']);
        assert.deepEqual(await port.list({ userId: 9, limit: 10 }), []);
      });

      clause('APPROVALS-014 lists those of one change, and those after one in the list', async ({ port }) => {
        await port.keep(approval());
        await port.keep({ ...approval(), id: 'Bb', digest: 'another' });
        await port.keep({ ...approval(), id: 'late', at: at + 5, grantId: 'grant-2' });
        await port.keep({ ...approval(), id: 'other', userId: 8 });
        const found = async (more: object) => idsOf(await port.list({ userId: 7, limit: 10, ...more }));
        assert.deepEqual(await found({ digest: 'digest' }), ['late', 'Aa1-_']);
        assert.deepEqual(await found({ digest: 'digest', isWaiting: true }), ['late', 'Aa1-_']);
        assert.deepEqual(await found({ digest: 'none' }), []);
        assert.deepEqual(await found({ before: { at: at + 5, id: 'late' } }), ['Bb', 'Aa1-_']);
        assert.deepEqual(await found({ before: { at, id: 'Bb' } }), ['Aa1-_']);
        assert.deepEqual(await found({ before: { at, id: 'Aa1-_' } }), []);
        assert.deepEqual(await found({ before: { at: at + 5, id: 'late' }, digest: 'another' }), ['Bb']);
      });

      clause('APPROVALS-015 lists those in some states only', async ({ port }) => {
        await port.keep(approval());
        await port.keep(decided());
        await port.keep({ ...decided(), id: 'no', at: at + 3, state: 'refused' });
        const found = async (states: readonly StoredApproval['state'][]) =>
          idsOf(await port.list({ userId: 7, limit: 10, states }));
        assert.deepEqual(await found(['done', 'refused']), ['no', 'decided']);
        assert.deepEqual(await found(['refused']), ['no']);
        assert.deepEqual(await found(['running']), []);
      });

      clause('APPROVALS-016 keeps one of the same app and change that wait at a time', async ({ port }) => {
        assert.deepEqual(await port.keep(approval()), approval());
        const again = { ...approval(), id: 'again', at: at + 1 };
        assert.deepEqual(await port.keep(again), approval());
        assert.equal(await port.find('again'), null);
        for (const more of [{ userId: 8 }, { grantId: 'grant-2' }, { digest: 'another' }]) {
          const other = { ...again, id: JSON.stringify(more), ...more };
          assert.deepEqual(await port.keep(other), other);
        }
        await port.move('Aa1-_', 'waiting', { state: 'refused', decidedAt: at + 2 });
        assert.deepEqual(await port.keep(again), again);
        const later = { ...again, id: 'later', at: again.expiresAt, expiresAt: again.expiresAt + 1_000 };
        assert.deepEqual(await port.keep(later), later);
        assert.deepEqual(await port.find('again'), again);
      });

      clause('APPROVALS-017 keeps one of many of the same change that are kept at once', async ({ port }) => {
        const kept = await Promise.all(['a', 'b', 'c', 'd'].map((id) => port.keep({ ...approval(), id })));
        assert.equal(new Set(idsOf(kept)).size, 1);
        assert.deepEqual(await port.list({ userId: 7, limit: 10 }), kept.slice(0, 1));
      });

      clause(
        'APPROVALS-018 keeps one of the same change that two processes keep at once',
        async ({ port, beside }) => {
          const other = await beside();
          const both = [port, other, port, other].map((each, index) => each.keep({ ...approval(), id: `${index}` }));
          assert.equal(new Set(idsOf(await Promise.all(both))).size, 1);
          assert.equal((await other.list({ userId: 7, limit: 10 })).length, 1);
        },
        'processes',
      );

      clause(
        'APPROVALS-004 counts those that wait and have not expired, of an app and of its user',
        async ({ port }) => {
          const place = { userId: 7, grantId: 'grant-1', now: at };
          assert.deepEqual(await port.waiting(place), { ofApp: 0, ofUser: 0 });
          await port.keep(approval());
          await port.keep({ ...approval(), id: 'expired', expiresAt: at, digest: 'expired' });
          await port.keep({ ...approval(), id: 'app', grantId: 'grant-2' });
          await port.keep({ ...approval(), id: 'user', userId: 8 });
          await port.keep({ ...approval(), id: 'running', state: 'running' });
          assert.deepEqual(await port.waiting(place), { ofApp: 1, ofUser: 2 });
          assert.deepEqual(await port.waiting({ ...place, grantId: 'grant-3' }), { ofApp: 0, ofUser: 2 });
          assert.deepEqual(await port.waiting({ ...place, now: at + 1_000 }), { ofApp: 0, ofUser: 0 });
        },
      );

      clause('APPROVALS-005 moves one from the state that is named, with a comment if given', async ({ port }) => {
        await port.keep(approval());
        await port.keep({ ...approval(), id: 'other', digest: 'other' });
        const refused = { state: 'refused', decidedAt: at + 9, comment: 'sealed no' } as const;
        assert.equal(await port.move('Aa1-_', 'running', refused), false);
        assert.equal(await port.move('none', 'waiting', refused), false);
        assert.deepEqual(await port.find('Aa1-_'), approval());
        assert.equal(await port.move('Aa1-_', 'waiting', refused), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...approval(), ...refused });
        assert.equal(await port.move('other', 'waiting', { state: 'running', decidedAt: at + 3 }), true);
        const moved = { ...approval(), id: 'other', digest: 'other', state: 'running', decidedAt: at + 3 } as const;
        assert.deepEqual(await port.find('other'), moved);
      });

      clause('APPROVALS-006 lets exactly one of many callers move one', async ({ port }) => {
        await port.keep(approval());
        const moved = await Promise.all(
          [1, 2, 3, 4].map(() => port.move('Aa1-_', 'waiting', { state: 'running', decidedAt: at })),
        );
        assert.equal(moved.filter(Boolean).length, 1);
      });

      clause('APPROVALS-007 ends one that is running with its outcome, and no other', async ({ port }) => {
        await port.keep({ ...approval(), state: 'running', decidedAt: at });
        assert.equal(await port.end('Aa1-_', 'sealed outcome', at + 7_000), true);
        const ended = { state: 'done', outcome: 'sealed outcome', expiresAt: at + 7_000, decidedAt: at } as const;
        assert.deepEqual(await port.find('Aa1-_'), { ...approval(), ...ended });
        for (const state of ['waiting', 'allowed', 'done', 'refused'] as const) {
          await port.keep({ ...approval(), id: state, state });
          assert.equal(await port.end(state, 'sealed outcome', at + 7_000), false, state);
          assert.deepEqual(await port.find(state), { ...approval(), id: state, state });
        }
      });

      clause('APPROVALS-008 has one that is running wait again, and no other', async ({ port }) => {
        const renewed = {
          digest: 'another',
          effect: 'lose',
          expiresAt: at + 9_000,
          content: 'sealed again',
        } as const;
        await port.keep({ ...approval(), state: 'running', decidedAt: at });
        assert.equal(await port.renew('Aa1-_', renewed), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...approval(), ...renewed });
        for (const state of ['waiting', 'allowed', 'done', 'refused'] as const) {
          await port.keep({ ...approval(), id: state, state });
          assert.equal(await port.renew(state, renewed), false, state);
          assert.deepEqual(await port.find(state), { ...approval(), id: state, state });
        }
      });

      clause('APPROVALS-009 removes all of a grant, or of a user', async ({ port }) => {
        await port.keep(approval());
        await port.keep({ ...decided(), grantId: 'grant-2' });
        await port.keep({ ...approval(), id: 'other', userId: 8 });
        await port.removeOf(7, 'grant-1');
        assert.deepEqual(idsOf(await port.list({ userId: 7, limit: 10 })), ['decided']);
        await port.keep(approval());
        await port.removeOf(7, null);
        assert.deepEqual(await port.list({ userId: 7, limit: 10 }), []);
        assert.deepEqual(idsOf(await port.list({ userId: 8, limit: 10 })), ['other']);
      });

      clause('APPROVALS-010 prunes those that expired before a time, and returns their number', async ({ port }) => {
        await port.keep(approval());
        await port.keep({ ...decided(), expiresAt: at + 999 });
        await port.keep({ ...approval(), id: 'other', userId: 8, expiresAt: at });
        assert.equal(await port.prune(at + 1_000), 2);
        assert.deepEqual(idsOf(await port.list({ userId: 7, limit: 10 })), ['Aa1-_']);
        assert.equal(await port.prune(at + 1_000), 0);
      });

      clause('APPROVALS-011 lists encrypted texts in pages, by id', async ({ port }) => {
        await port.keep({ ...approval(), id: 'b', digest: 'b' });
        await port.keep({ ...decided(), id: 'a' });
        await port.keep({ ...approval(), id: 'c', digest: 'c', content: 'third' });
        const { content, comment, outcome } = decided();
        const none = { comment: null, outcome: null };
        assert.deepEqual(await port.sealedRows({ after: null, limit: 2 }), [
          { id: 'a', texts: { content, comment, outcome } },
          { id: 'b', texts: { content: approval().content, ...none } },
        ]);
        assert.deepEqual(await port.sealedRows({ after: 'b', limit: 2 }), [
          { id: 'c', texts: { content: 'third', ...none } },
        ]);
        assert.deepEqual(await port.sealedRows({ after: 'c', limit: 2 }), []);
      });

      clause('APPROVALS-012 replaces encrypted texts only if they are unchanged', async ({ port }) => {
        await port.keep(decided());
        const { content, comment, outcome } = decided();
        const before = { id: 'decided', texts: { content, comment, outcome } };
        const after = { content: 'content 2', comment: 'comment 2', outcome: 'outcome 2' };
        for (const member of ['content', 'comment', 'outcome'] as const) {
          const other = { ...before, texts: { ...before.texts, [member]: 'other' } };
          assert.equal(await port.reseal(other, after), false, member);
        }
        assert.deepEqual(await port.find('decided'), decided());
        assert.equal(await port.reseal(before, after), true);
        assert.deepEqual(await port.find('decided'), { ...decided(), ...after });
        await port.keep(approval());
        const bare = { id: 'Aa1-_', texts: { content: approval().content, comment: null, outcome: null } };
        assert.equal(await port.reseal(bare, { ...bare.texts, content: 'content 2' }), true);
        assert.deepEqual(await port.find('Aa1-_'), { ...approval(), content: 'content 2' });
      });

      clause(
        'APPROVALS-013 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = approval();
          await port.keep(given);
          tamper(given);
          tamper(await port.find('Aa1-_'));
          tamper(await port.list({ userId: 7, limit: 10 }));
          assert.deepEqual(await port.find('Aa1-_'), approval());
          assert.deepEqual(await port.list({ userId: 7, limit: 10 }), [approval()]);
        },
      );

      lifeCycle(clause, {
        prefix: 'APPROVALS',
        fill: async (port) => {
          await port.keep(approval());
          await port.keep(decided());
          await port.move('Aa1-_', 'waiting', { state: 'running', decidedAt: at + 1 });
          await port.end('Aa1-_', 'outcome', at + 5);
        },
        read: (port) => port.list({ userId: 7, limit: 10 }),
      });
    },
  });
}
