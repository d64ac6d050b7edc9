import assert from 'node:assert/strict';
import type { NewReactionCall, ReactionLog, ReactionRun, RecordedCall } from '#application/ports/reaction-log.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const call = (key: string, more: Partial<NewReactionCall> = {}): NewReactionCall => ({
  key,
  reaction: 'Reactions/won.md',
  operation: 'tracker.issues.create',
  seq: 7,
  depth: 1,
  at,
  ...more,
});
const nothing = { outcome: null, record: null, endedAt: null };
const recorded = (key: string, more: Partial<RecordedCall> = {}): RecordedCall => ({
  ...call(key),
  state: 'begun',
  ...nothing,
  ...more,
});
const record = { service: 'tracker', id: 'i-1' };
const done = { state: 'done', outcome: 'made i-1', record, at: at + 5 } as const;
const unknown = { state: 'unknown', outcome: 'no answer', at: at + 5 } as const;
const run = (reaction: string, seq: number, more: Partial<ReactionRun> = {}): ReactionRun => ({
  reaction,
  seq,
  at: at + seq,
  result: 'ran',
  outcome: `delivery ${seq}`,
  ...more,
});
const failedRun = { result: 'failed' } as const;
/** The count of a reaction whose last run was this one. */
const counted = ({ reaction, at: time, outcome, result }: ReactionRun, runs: number, faults: number) => ({
  reaction,
  at: time,
  outcome,
  isFault: result === 'failed',
  runs,
  faults,
});
const all = (port: ReactionLog) => port.calls({ limit: 100 });

/** Contract suite of the reaction log. */
export function reactionLogContract<Handle extends Opened<ReactionLog>>(
  runner: Runner,
  subject: Subject<ReactionLog, Handle>,
): void {
  contract<ReactionLog, Handle>(runner, subject, {
    port: 'reaction-log',
    define: (clause) => {
      clause(
        'REACTIONLOG-001 stores the first permission for a text, and lists all by reaction and time',
        async ({ port }) => {
          assert.deepEqual(await port.approvals(), []);
          const given = [
            { digest: 'd2', reaction: 'b.md', by: 'ada@example.com', at: at + 2 },
            { digest: 'd1', reaction: 'b.md', by: 'bob@example.com', at: at + 3 },
            { digest: 'd3', reaction: 'a.md', by: 'ada@example.com', at: at + 4 },
          ] as const;
          for (const approval of given) await port.approve(approval);
          await port.approve({ digest: 'd2', reaction: 'c.md', by: 'eve@example.com', at: at + 9 });
          assert.deepEqual(await port.approvals(), [given[2], given[0], given[1]]);
        },
      );

      clause('REACTIONLOG-002 withdraws one permission, once', async ({ port }) => {
        await port.approve({ digest: 'd1', reaction: 'a.md', by: 'ada@example.com', at });
        await port.approve({ digest: 'd2', reaction: 'a.md', by: 'ada@example.com', at });
        assert.equal(await port.withdraw('d1'), true);
        assert.equal(await port.withdraw('d1'), false);
        assert.deepEqual(
          (await port.approvals()).map(({ digest }) => digest),
          ['d2'],
        );
      });

      clause('REACTIONLOG-003 begins a call once, and then returns the recorded one', async ({ port }) => {
        assert.equal(await port.begin(call('k')), null);
        assert.deepEqual(await port.begin(call('k', { seq: 8, at: at + 1, depth: 2 })), recorded('k'));
        assert.deepEqual(await all(port), [recorded('k')]);
      });

      clause('REACTIONLOG-004 lets exactly one of many concurrent callers begin a call', async ({ port }) => {
        const begun = await Promise.all([1, 2, 3, 4, 5].map(() => port.begin(call('k'))));
        assert.equal(begun.filter((before) => before === null).length, 1);
      });

      clause('REACTIONLOG-005 records a waiting call once, and begins it as recorded then', async ({ port }) => {
        await port.wait(call('k'));
        await port.wait(call('k', { seq: 99, at: at + 9 }));
        assert.deepEqual(await all(port), [recorded('k', { state: 'waiting' })]);
        const later = call('k', { reaction: 'b.md', operation: 'tracker.issues.update', seq: 8, depth: 2, at: at + 1 });
        // A caller may begin a call as it was listed, with more members than a call has.
        assert.equal(await port.begin({ ...(await all(port))[0], ...later }), null);
        assert.deepEqual(await all(port), [{ ...later, state: 'begun', ...nothing }]);
        await port.wait(call('k'));
        assert.deepEqual(await all(port), [{ ...later, state: 'begun', ...nothing }]);
      });

      clause(
        'REACTIONLOG-006 ends a begun call as done, with its outcome, record and time, permanently',
        async ({ port }) => {
          await port.begin(call('k'));
          await port.begin(call('other'));
          assert.equal(await port.end('k', done), true);
          const ended = recorded('k', { state: 'done', outcome: 'made i-1', record, endedAt: at + 5 });
          assert.deepEqual(await all(port), [ended, recorded('other')]);
          assert.equal(await port.end('k', unknown), false);
          assert.equal(await port.end('k', { state: 'free' }), false);
          assert.deepEqual(await port.begin(call('k')), ended);
        },
      );

      clause(
        'REACTIONLOG-007 keeps an unknown outcome until it is decided: done, or free to be made',
        async ({ port }) => {
          for (const key of ['a', 'b']) {
            await port.begin(call(key));
            assert.equal(await port.end(key, unknown), true);
          }
          const undecided = recorded('a', { state: 'unknown', outcome: 'no answer', endedAt: at + 5 });
          assert.deepEqual(await port.begin(call('a')), undecided);
          assert.equal(await port.end('a', { ...done, record: null }), true);
          assert.equal(await port.end('b', { state: 'free' }), true);
          assert.deepEqual(await all(port), [{ ...undecided, state: 'done', outcome: 'made i-1' }]);
          assert.equal(await port.begin(call('b')), null);
        },
      );

      clause('REACTIONLOG-008 does not end a waiting or unknown call', async ({ port }) => {
        await port.wait(call('k'));
        for (const key of ['k', 'none']) {
          for (const end of [done, unknown, { state: 'free' } as const]) assert.equal(await port.end(key, end), false);
        }
        assert.deepEqual(await all(port), [recorded('k', { state: 'waiting' })]);
      });

      clause('REACTIONLOG-009 lists calls, latest first, by reaction, state and number', async ({ port }) => {
        await port.begin(call('b', { at: at + 1 }));
        await port.begin(call('a', { at: at + 1 }));
        await port.begin(call('c', { reaction: 'b.md', at: at + 2 }));
        await port.wait(call('d', { reaction: 'b.md' }));
        const keys = async (query: Parameters<ReactionLog['calls']>[0]) =>
          (await port.calls(query)).map(({ key }) => key);
        assert.deepEqual(await keys({ limit: 10 }), ['c', 'a', 'b', 'd']);
        assert.deepEqual(await keys({ limit: 2 }), ['c', 'a']);
        assert.deepEqual(await keys({ reaction: 'b.md', limit: 10 }), ['c', 'd']);
        assert.deepEqual(await keys({ state: 'begun', limit: 10 }), ['c', 'a', 'b']);
        assert.deepEqual(await keys({ reaction: 'b.md', state: 'waiting', limit: 10 }), ['d']);
      });

      clause('REACTIONLOG-010 finds the latest call that touched a record since a time', async ({ port }) => {
        assert.equal(await port.touchedSince(record, 0), null);
        for (const [key, end] of [
          ['a', 5],
          ['b', 9],
          ['c', 7],
        ] as const) {
          await port.begin(call(key));
          await port.end(key, { ...done, at: at + end });
        }
        await port.begin(call('d'));
        await port.end('d', { ...done, record: { service: 'signing', id: 'i-1' }, at: at + 20 });
        assert.equal((await port.touchedSince(record, at))?.key, 'b');
        assert.equal((await port.touchedSince(record, at + 9))?.key, 'b');
        assert.equal(await port.touchedSince(record, at + 10), null);
        assert.equal(await port.touchedSince({ service: 'tracker', id: 'i-2' }, at), null);
        assert.equal((await port.touchedSince({ service: 'signing', id: 'i-1' }, at))?.key, 'd');
      });

      clause(
        'REACTIONLOG-011 counts the deliveries on which a reaction ran and failed, and stores the last',
        async ({ port }) => {
          assert.deepEqual(await port.counts(), []);
          await port.noteRuns([run('b.md', 1, failedRun), run('a.md', 2)]);
          await port.noteRuns([run('b.md', 3, { result: 'waits' })]);
          await port.noteRuns([run('b.md', 4, failedRun), run('c.md', 4, { result: 'unmet' })]);
          assert.deepEqual(await port.counts(), [
            counted(run('a.md', 2), 1, 0),
            counted(run('b.md', 4, failedRun), 3, 2),
          ]);
        },
      );

      clause('REACTIONLOG-012 counts each of several concurrent runs', async ({ port }) => {
        await Promise.all(
          [1, 2, 3, 4].map((seq) => port.noteRuns([run('a.md', seq, { at, ...failedRun, outcome: '' })])),
        );
        assert.deepEqual(await port.counts(), [counted(run('a.md', 4, { at, ...failedRun, outcome: '' }), 4, 4)]);
      });

      clause(
        'REACTIONLOG-022 stores a run in place of that of the same delivery, and counts both once',
        async ({ port }) => {
          await port.noteRuns([run('a.md', 7, { result: 'unmet' })]);
          assert.deepEqual(await port.counts(), []);
          await port.noteRuns([run('a.md', 7, failedRun), run('b.md', 7)]);
          const again = run('a.md', 7, { at: at + 50, outcome: 'mended' });
          await port.noteRuns([again]);
          assert.deepEqual(await port.runsOf(7), [again, run('b.md', 7)]);
          assert.deepEqual((await port.counts())[0], counted(again, 1, 0));
          await port.noteRuns([run('a.md', 7, { result: 'unmet' })]);
          assert.deepEqual((await port.counts())[0], counted(again, 1, 0));
          assert.deepEqual(await port.runsOf(8), []);
          await port.noteRuns([]);
        },
      );

      clause(
        'REACTIONLOG-023 lists the runs of a reaction, the latest deliveries first, in pages',
        async ({ port }) => {
          await port.noteRuns([1, 2, 3].map((seq) => run('a.md', seq)));
          await port.noteRuns([run('b.md', 2)]);
          const seqs = async (query: Parameters<ReactionLog['runs']>[0]) =>
            (await port.runs(query)).map(({ seq }) => seq);
          assert.deepEqual(await port.runs({ reaction: 'a.md', limit: 1 }), [run('a.md', 3)]);
          assert.deepEqual(await seqs({ reaction: 'a.md', limit: 9 }), [3, 2, 1]);
          assert.deepEqual(await seqs({ reaction: 'a.md', before: 3, limit: 9 }), [2, 1]);
          assert.deepEqual(await seqs({ reaction: 'c.md', limit: 9 }), []);
        },
      );

      clause('REACTIONLOG-024 removes the runs before a time, and keeps the counts', async ({ port }) => {
        await port.noteRuns([1, 2, 3].map((seq) => run('a.md', seq)));
        assert.equal(await port.pruneRuns(at + 3), 2);
        assert.deepEqual(await port.runs({ reaction: 'a.md', limit: 9 }), [run('a.md', 3)]);
        assert.deepEqual(await port.counts(), [counted(run('a.md', 3), 3, 0)]);
      });

      clause('REACTIONLOG-013 lets exactly one of several callers advance a schedule', async ({ port }) => {
        assert.equal(await port.scheduledTo('a.md'), null);
        assert.equal(await port.advance('a.md', at, at + 1), false);
        const first = await Promise.all([1, 2, 3].map((more) => port.advance('a.md', null, at + more)));
        assert.equal(first.filter(Boolean).length, 1);
        const from = await port.scheduledTo('a.md');
        assert.equal(await port.advance('a.md', null, at + 50), false);
        assert.equal(await port.advance('a.md', at - 1, at + 50), false);
        const later = await Promise.all([1, 2].map(() => port.advance('a.md', from, at + 60)));
        assert.deepEqual(later.filter(Boolean), [true]);
        assert.equal(await port.advance('a.md', at + 90, at + 95), false);
        assert.equal(await port.scheduledTo('a.md'), at + 60);
        assert.equal(await port.scheduledTo('b.md'), null);
      });

      clause('REACTIONLOG-014 stores what is switched off, sorted and without duplicates', async ({ port }) => {
        assert.deepEqual(await port.switchedOff(), []);
        for (const name of ['b', 'a', 'b']) await port.setSwitch(name, false);
        assert.deepEqual(await port.switchedOff(), ['a', 'b']);
        await port.setSwitch('b', true);
        await port.setSwitch('c', true);
        assert.deepEqual(await port.switchedOff(), ['a']);
      });

      clause('REACTIONLOG-015 distinguishes keys and paths of any text', async ({ port }) => {
        for (const [index, text] of oddTexts.entries()) {
          await port.begin(call(text, { reaction: text, at: at - index }));
          await port.noteRuns([run(text, index + 1)]);
          await port.advance(text, null, at + index);
        }
        assert.deepEqual(
          (await all(port)).map(({ key }) => key),
          [...oddTexts],
        );
        assert.equal((await port.counts()).length, oddTexts.length);
        for (const [index, text] of oddTexts.entries()) assert.equal(await port.scheduledTo(text), at + index);
      });

      clause(
        'REACTIONLOG-016 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = [
            call('k'),
            { digest: 'd', reaction: 'a.md', by: 'ada@example.com', at },
            [run('a.md', 1)],
            { ...done, record: { ...record } },
            { digest: 'd', reaction: 'a.md', at },
          ] as const;
          await port.begin(given[0]);
          await port.approve(given[1]);
          await port.noteRuns(given[2]);
          await port.end('k', given[3]);
          await port.setAside(given[4]);
          const read = async () => [
            await all(port),
            await port.approvals(),
            await port.counts(),
            await port.runsOf(1),
            await port.runs({ reaction: 'a.md', limit: 9 }),
            await port.setAsideNotes(),
          ];
          const before = JSON.stringify(await read());
          for (const value of [...given, ...(await read())]) tamper(value);
          assert.equal(JSON.stringify(await read()), before);
        },
      );

      clause(
        'REACTIONLOG-017 lets exactly one of two processes begin a call',
        async ({ port, beside }) => {
          const other = await beside();
          const begun = await Promise.all([port, other, port, other].map((one) => one.begin(call('k'))));
          assert.equal(begun.filter((before) => before === null).length, 1);
        },
        'processes',
      );

      clause('REACTIONLOG-018 stores a note that is set aside once, and lists the latest first', async ({ port }) => {
        assert.deepEqual(await port.setAsideNotes(), []);
        const notes = [
          { digest: 'd1', reaction: 'a.md', at },
          { digest: 'd3', reaction: 'a.md', at: at + 2 },
          { digest: 'd2', reaction: 'b.md', at: at + 2 },
        ] as const;
        for (const note of notes) await port.setAside(note);
        await port.setAside({ digest: 'd1', reaction: 'c.md', at: at + 9 });
        assert.deepEqual(await port.setAsideNotes(), [notes[2], notes[1], notes[0]]);
      });

      clause('REACTIONLOG-019 keeps the latest 2,000 of the notes that are set aside', async ({ port }) => {
        for (let index = 0; index < 2_003; index += 1) {
          await port.setAside({ digest: `d${index}`, reaction: 'a.md', at: at + index });
        }
        const kept = await port.setAsideNotes();
        assert.equal(kept.length, 2_000);
        assert.deepEqual([kept[0]?.digest, kept.at(-1)?.digest], ['d2002', 'd3']);
      });

      clause('REACTIONLOG-020 stores the first refusal of a text, and lists the latest first', async ({ port }) => {
        assert.deepEqual(await port.refusals(), []);
        const given = [
          { digest: 'd1', reaction: 'a.md', by: 'ada@example.com', at, comment: oddTexts[0] ?? '' },
          { digest: 'd3', reaction: 'a.md', by: 'bob@example.com', at: at + 2, comment: null },
          { digest: 'd2', reaction: 'b.md', by: 'ada@example.com', at: at + 2, comment: 'Not this way.' },
        ] as const;
        for (const refusal of given) await port.refuse(refusal);
        await port.refuse({ ...given[0], by: 'eve@example.com', at: at + 9, comment: 'Never.' });
        assert.deepEqual(await port.refusals(), [given[2], given[1], given[0]]);
        assert.deepEqual(await port.approvals(), []);
        assert.equal(await port.withdraw('d3'), true);
        assert.equal(await port.withdraw('d3'), false);
        assert.deepEqual(await port.refusals(), [given[2], given[0]]);
      });

      clause('REACTIONLOG-021 keeps the latest 2,000 refusals', async ({ port }) => {
        const refusal = { reaction: 'a.md', by: 'ada@example.com', comment: null };
        for (let index = 0; index < 2_003; index += 1) {
          await port.refuse({ ...refusal, digest: `d${index}`, at: at + index });
        }
        const kept = await port.refusals();
        assert.equal(kept.length, 2_000);
        assert.deepEqual([kept[0]?.digest, kept.at(-1)?.digest], ['d2002', 'd3']);
      });

      lifeCycle(clause, {
        prefix: 'REACTIONLOG',
        fill: async (port) => {
          await port.approve({ digest: 'd', reaction: 'a.md', by: 'ada@example.com', at });
          await port.refuse({ digest: 'r', reaction: 'a.md', by: 'ada@example.com', at, comment: 'No.' });
          await port.begin(call('k'));
          await port.end('k', done);
          await port.wait(call('l'));
          await port.noteRuns([run('a.md', 1)]);
          await port.advance('a.md', null, at);
          await port.setSwitch('deal-updated', false);
          await port.setAside({ digest: 'd', reaction: 'a.md', at });
        },
        read: async (port) => [
          await port.approvals(),
          await port.refusals(),
          await all(port),
          await port.counts(),
          await port.runsOf(1),
          await port.scheduledTo('a.md'),
          await port.switchedOff(),
          await port.setAsideNotes(),
        ],
      });
    },
  });
}
