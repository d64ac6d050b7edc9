import assert from 'node:assert/strict';
import type { NoteLink, NoteLinks } from '#application/ports/note-links.ts';
import type { RecordRef } from '#domain/events/record-ref.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const at = 1_769_172_711_789;
const issue: RecordRef = { service: 'tracker', kind: 'issue', id: '8f-1' };
const near: readonly RecordRef[] = [
  { ...issue, service: 'signing' },
  { ...issue, kind: 'project' },
  { ...issue, id: '8F-1' },
  { ...issue, id: '8f-1 ' },
];
const link = (): NoteLink => ({ record: { ...issue }, path: `Issues/${oddText}.md`, appliedAt: at });

/** Contract suite of stores of links between records and notes. */
export function noteLinksContract<Handle extends Opened<NoteLinks>>(
  runner: Runner,
  subject: Subject<NoteLinks, Handle>,
): void {
  contract<NoteLinks, Handle>(runner, subject, {
    port: 'note links',
    define: (clause) => {
      clause('NOTELINKS-001 returns every field as it was stored', async ({ port }) => {
        await port.keep(link());
        await port.keep({ record: { ...issue, id: '9' }, path: 'Issues/Nine.md', appliedAt: at + 1 });
        assert.deepEqual(await port.find(issue), link());
        assert.deepEqual(await port.find({ ...issue, id: '9' }), {
          record: { ...issue, id: '9' },
          path: 'Issues/Nine.md',
          appliedAt: at + 1,
        });
      });

      clause('NOTELINKS-002 returns null for a record without a link, however similar', async ({ port }) => {
        await port.keep(link());
        for (const record of near) assert.equal(await port.find(record), null);
        for (const id of oddTexts) assert.equal(await port.find({ ...issue, id }), null, id);
      });

      clause('NOTELINKS-003 distinguishes records by service, kind and id', async ({ port }) => {
        const all = [issue, ...near].map((record, index) => ({ record, path: `${index}.md`, appliedAt: at + index }));
        for (const one of all) await port.keep(one);
        for (const one of all) assert.deepEqual(await port.find(one.record), one);
      });

      clause('NOTELINKS-004 distinguishes records whose parts are equal only when concatenated', async ({ port }) => {
        const left = { service: 'tracker', kind: 'issue:8', id: '1' };
        const right = { service: 'tracker', kind: 'issue', id: '8:1' };
        await port.keep({ record: left, path: 'left.md', appliedAt: at });
        assert.equal(await port.find(right), null);
        await port.keep({ record: right, path: 'right.md', appliedAt: at });
        assert.equal((await port.find(left))?.path, 'left.md');
      });

      clause('NOTELINKS-005 replaces the record’s earlier link', async ({ port }) => {
        await port.keep(link());
        await port.keep({ ...link(), path: 'moved.md', appliedAt: at + 1 });
        assert.deepEqual(await port.find(issue), { ...link(), path: 'moved.md', appliedAt: at + 1 });
      });

      clause('NOTELINKS-006 accepts the path of an earlier event, but never its earlier time', async ({ port }) => {
        await port.keep(link());
        await port.keep({ ...link(), path: 'moved.md', appliedAt: at - 1 });
        assert.deepEqual(await port.find(issue), { ...link(), path: 'moved.md', appliedAt: at });
      });

      clause('NOTELINKS-007 has the latest time of links that are stored concurrently', async ({ port }) => {
        const times = [3, 1, 5, 2, 4];
        for (let round = 0; round < 10; round += 1) {
          const record = { ...issue, id: String(round) };
          const turned = [...times.slice(round % 5), ...times.slice(0, round % 5)];
          await Promise.all(turned.map((time) => port.keep({ ...link(), record, appliedAt: at + time })));
          assert.equal((await port.find(record))?.appliedAt, at + 5);
        }
      });

      clause('NOTELINKS-008 has all links that are stored concurrently', async ({ port }) => {
        const all = Array.from({ length: 40 }, (_, index) => ({
          record: { ...issue, id: String(index) },
          path: `${index}.md`,
          appliedAt: at + index,
        }));
        await Promise.all(all.map((one) => port.keep(one)));
        for (const one of all) assert.deepEqual(await port.find(one.record), one);
      });

      clause('NOTELINKS-009 has a link as soon as it is stored', async ({ port }) => {
        assert.equal(await port.find(issue), null);
        await port.keep(link());
        assert.deepEqual(await port.find(issue), link());
      });

      clause(
        'NOTELINKS-010 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const given = link();
          await port.keep(given);
          tamper(given);
          assert.deepEqual(await port.find({ ...issue }), link());
          tamper(await port.find({ ...issue }));
          assert.deepEqual(await port.find({ ...issue }), link());
        },
      );

      clause(
        'NOTELINKS-011 has the latest time of the links that two processes store',
        async ({ port, beside }) => {
          const other = await beside();
          await Promise.all([port, other].map((one, index) => one.keep({ ...link(), appliedAt: at + index })));
          await port.keep(link());
          assert.equal((await other.find(issue))?.appliedAt, at + 1);
        },
        'processes',
      );

      clause('NOTELINKS-012 answers each of those who ask concurrently with their own link', async ({ port }) => {
        const refs: readonly RecordRef[] = [
          ...near,
          issue,
          { service: 'tracker', kind: 'issue:8', id: '1' },
          { service: 'tracker', kind: 'issue', id: '8:1' },
        ];
        const all = refs.map((record, index) => ({ record, path: `${index}.md`, appliedAt: at + index }));
        await Promise.all(all.map((one) => port.keep(one)));
        const unknown: RecordRef = { ...issue, id: 'unknown' };
        const found = await Promise.all([unknown, ...refs].map((record) => port.find(record)));
        assert.deepEqual(found, [null, ...all]);
      });

      lifeCycle(clause, {
        prefix: 'NOTELINKS',
        fill: async (port) => {
          await port.keep({ ...link(), appliedAt: at + 1 });
          await port.keep({ ...link(), path: 'moved.md' });
          await port.keep({ record: { ...issue, id: '9' }, path: 'Nine.md', appliedAt: at + 2 });
        },
        read: async (port) => [await port.find(issue), await port.find({ ...issue, id: '9' })],
      });
    },
  });
}
