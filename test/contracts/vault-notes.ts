import assert from 'node:assert/strict';
import type { VaultNote, VaultNotes } from '#application/ports/vault-notes.ts';
import { contract } from '#test/contracts/kit/contract.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';

/** A note sink under test; `versions` says whether its notes have versions, without which no note is replaced as a whole. */
export type VaultNotesSubject<Handle extends Opened<VaultNotes>> = Subject<VaultNotes, Handle> &
  Readonly<{ supports: Readonly<{ versions: boolean }> }>;

const issue =
  '---\ntracker_issue_id: "i-1"\nstatus: "open"\n---\n\n# Deal\n\n## History\n\nfirst ^evt-1\n\n## Notes\n\nmine\n';
const oddPath = 'Kunden/Ünïcödé & Söhne (日本) 🎉.md';
const yes = { ok: true, value: true };
const no = { ok: true, value: false };
const done = { ok: true, value: undefined };

/** Contract suite of note sinks, which reactions write to. */
export function vaultNotesContract<Handle extends Opened<VaultNotes>>(
  runner: Runner,
  subject: VaultNotesSubject<Handle>,
): void {
  const noteAt = async (port: VaultNotes, path: string): Promise<VaultNote | null> => {
    const read = await port.read(path);
    assert.ok(read.ok);
    return read.value;
  };
  const text = async (port: VaultNotes, path: string) => (await noteAt(port, path))?.content ?? null;
  const versionOf = async (port: VaultNotes, path: string): Promise<string> => {
    const version = (await noteAt(port, path))?.version;
    assert.ok(typeof version === 'string');
    return version;
  };

  contract<VaultNotes, Handle>(runner, subject, {
    port: 'vault notes',
    extras: { versions: subject.supports.versions },
    define: (clause) => {
      clause('NOTES-001 reads what was created, with its frontmatter', async ({ port }) => {
        assert.deepEqual(await port.create('Issues/A b.md', issue), yes);
        const { version: _, ...note } = (await noteAt(port, 'Issues/A b.md')) ?? { version: null };
        const frontmatter = { tracker_issue_id: 'i-1', status: 'open' };
        assert.deepEqual(note, { path: 'Issues/A b.md', content: issue, frontmatter });
      });

      clause('NOTES-002 returns null when there is no note', async ({ port }) => {
        assert.deepEqual(await port.read('Nowhere.md'), { ok: true, value: null });
        await port.create('A.md', issue);
        for (const path of ['A', 'A.md.md', 'Issues/A.md', 'AA.md']) assert.equal(await noteAt(port, path), null, path);
      });

      clause('NOTES-003 does not create a note over an existing one', async ({ port }) => {
        await port.create('A.md', 'first');
        assert.deepEqual(await port.create('A.md', 'second'), no);
        assert.equal(await text(port, 'A.md'), 'first');
      });

      clause('NOTES-004 sets one key, and leaves the others and the text (NOTE-003)', async ({ port }) => {
        await port.create('A.md', issue);
        assert.deepEqual(await port.setFrontmatter('A.md', 'status', 'won'), done);
        assert.deepEqual(await port.setFrontmatter('A.md', 'value', 12), done);
        const note = await noteAt(port, 'A.md');
        assert.deepEqual(note?.frontmatter, { tracker_issue_id: 'i-1', status: 'won', value: 12 });
        assert.ok(note.content.endsWith('\n# Deal\n\n## History\n\nfirst ^evt-1\n\n## Notes\n\nmine\n'));
      });

      clause('NOTES-005 gives a note without frontmatter its first key', async ({ port }) => {
        await port.create('A.md', 'only text\n');
        await port.setFrontmatter('A.md', 'status', 'open');
        const note = await noteAt(port, 'A.md');
        assert.deepEqual(note?.frontmatter, { status: 'open' });
        assert.ok(note.content.endsWith('only text\n'));
      });

      clause('NOTES-006 appends under a heading, before the next one', async ({ port }) => {
        await port.create('A.md', issue);
        assert.deepEqual(await port.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2'), done);
        assert.match(
          (await text(port, 'A.md')) ?? '',
          /## History\n+first \^evt-1\n+second \^evt-2\n+## Notes\n+mine\n/,
        );
      });

      clause('NOTES-007 appends the same text once, however often it is requested', async ({ port }) => {
        await port.create('A.md', issue);
        await port.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2');
        const once = await text(port, 'A.md');
        assert.deepEqual(await port.appendUnderHeading('A.md', ['Deal', 'History'], 'second ^evt-2'), done);
        assert.equal(await text(port, 'A.md'), once);
      });

      clause('NOTES-008 creates a missing heading', async ({ port }) => {
        await port.create('A.md', 'text\n');
        assert.deepEqual(await port.appendUnderHeading('A.md', ['History'], 'first'), done);
        assert.match((await text(port, 'A.md')) ?? '', /^text\n+# History\n+first\n*$/);
      });

      clause('NOTES-009 finds notes by a frontmatter key, sorted', async ({ port }) => {
        await port.create('B.md', '---\ndeal_id: "7"\n---\n');
        await port.create('A.md', '---\ndeal_id: "7"\n---\n');
        await port.create('C.md', '---\ndeal_id: "8"\n---\n');
        await port.create('D.md', '---\nother_id: "7"\n---\n');
        assert.deepEqual(await port.findByFrontmatter('deal_id', '7'), { ok: true, value: ['A.md', 'B.md'] });
        assert.deepEqual(await port.findByFrontmatter('deal_id', '9'), { ok: true, value: [] });
      });

      clause('NOTES-010 creates a missing heading under the one above it, a level deeper', async ({ port }) => {
        await port.create('A.md', '# Deal\n\ntext\n');
        assert.deepEqual(await port.appendUnderHeading('A.md', ['Deal', 'History'], 'first ^evt-1'), done);
        assert.match((await text(port, 'A.md')) ?? '', /^# Deal\n\ntext\n+## History\n+first \^evt-1\n*$/);
      });

      clause('NOTES-011 appends lines at the end of a note', async ({ port }) => {
        await port.create('A.md', 'text\n');
        assert.deepEqual(await port.append('A.md', '\n## History\nfirst\n'), done);
        assert.match((await text(port, 'A.md')) ?? '', /^text\n+## History\nfirst\n+$/);
      });

      clause(
        'NOTES-012 replaces a note only if it is at the version that was read',
        async ({ port }) => {
          await port.create('A.md', 'first\n');
          const version = await versionOf(port, 'A.md');
          assert.deepEqual(await port.replace('A.md', 'second\n', version), yes);
          assert.deepEqual(await port.replace('A.md', 'third\n', version), no);
          assert.equal(await text(port, 'A.md'), 'second\n');
          assert.deepEqual(await port.replace('A.md', 'third\n', await versionOf(port, 'A.md')), yes);
          assert.equal(await text(port, 'A.md'), 'third\n');
        },
        'versions',
      );

      clause(
        'NOTES-013 returns no version, if declared not to have any',
        async ({ port }) => {
          await port.create('A.md', 'first\n');
          assert.equal((await noteAt(port, 'A.md'))?.version, null);
        },
        'not versions',
      );

      clause('NOTES-014 stores paths and texts with umlauts, blanks, emoji and quotes', async ({ port }) => {
        const odd = `---\nname: "Ünïcödé 日本 🎉"\n---\nZ\u0308rich “quoted” \\ $& %s\n`;
        assert.deepEqual(await port.create(oddPath, odd), yes);
        const note = await noteAt(port, oddPath);
        assert.deepEqual([note?.path, note?.content, note?.frontmatter], [oddPath, odd, { name: 'Ünïcödé 日本 🎉' }]);
        assert.deepEqual(await port.findByFrontmatter('name', 'Ünïcödé 日本 🎉'), { ok: true, value: [oddPath] });
        assert.deepEqual(await port.create(oddPath, 'second'), no);
      });

      clause('NOTES-015 sets values of any kind', async ({ port }) => {
        await port.create('A.md', issue);
        const values = {
          text: 'a: "b" # c',
          list: ['x', 'Ü'],
          flag: false,
          number: 1.5,
          digits: '007',
          date: '2026-01-23',
        };
        for (const [key, value] of Object.entries(values))
          assert.deepEqual(await port.setFrontmatter('A.md', key, value), done);
        const expected = { tracker_issue_id: 'i-1', status: 'open', ...values };
        assert.deepEqual((await noteAt(port, 'A.md'))?.frontmatter, expected);
      });

      clause('NOTES-016 changes one note and no other', async ({ port }) => {
        for (const path of ['A.md', 'B.md', 'Issues/A.md']) await port.create(path, issue);
        const path = 'Issues/A.md';
        await port.setFrontmatter(path, 'status', 'won');
        await port.appendUnderHeading(path, ['Deal', 'History'], 'second');
        await port.append(path, 'end\n');
        for (const path of ['A.md', 'B.md']) assert.equal(await text(port, path), issue);
      });

      clause('NOTES-017 finds a number by its digits too, and no text by a number', async ({ port }) => {
        await port.create('A.md', '---\ndeal_id: 7\n---\n');
        await port.create('B.md', '---\ndeal_id: "7"\n---\n');
        await port.create('C.md', '---\ndeal_id: 77\n---\n');
        assert.deepEqual(await port.findByFrontmatter('deal_id', '7'), { ok: true, value: ['A.md', 'B.md'] });
        assert.deepEqual(await port.findByFrontmatter('deal_id', 7), { ok: true, value: ['A.md'] });
      });

      clause('NOTES-018 finds a note by the value set last, and no longer by the former one', async ({ port }) => {
        await port.create('A.md', issue);
        assert.deepEqual(await port.findByFrontmatter('status', 'open'), { ok: true, value: ['A.md'] });
        await port.setFrontmatter('A.md', 'status', 'won');
        assert.deepEqual(await port.findByFrontmatter('status', 'open'), { ok: true, value: [] });
        assert.deepEqual(await port.findByFrontmatter('status', 'won'), { ok: true, value: ['A.md'] });
      });

      clause('NOTES-019 creates a note once when many callers create it concurrently', async ({ port }) => {
        const texts = ['one', 'two', 'three', 'four'];
        const made = await Promise.all(texts.map((content) => port.create('A.md', content)));
        assert.deepEqual(
          made.toSorted((left, right) => Number(left.ok && left.value) - Number(right.ok && right.value)),
          [no, no, no, yes],
        );
        assert.equal(await text(port, 'A.md'), texts[made.findIndex((result) => result.ok && result.value)]);
      });

      clause('NOTES-020 loses none of several lines that are appended concurrently', async ({ port }) => {
        await port.create('A.md', 'text\n');
        const lines = ['one', 'two', 'three', 'four'];
        await Promise.all(lines.map((line) => port.append('A.md', `${line}\n`)));
        const found = ((await text(port, 'A.md')) ?? '').split('\n').filter((line) => lines.includes(line));
        assert.deepEqual(found.toSorted(), lines.toSorted());
      });

      clause(
        'NOTES-021 lets exactly one of many callers replace the same version',
        async ({ port }) => {
          await port.create('A.md', 'first\n');
          const version = await versionOf(port, 'A.md');
          const texts = ['one\n', 'two\n', 'three\n'];
          const replaced = await Promise.all(texts.map((content) => port.replace('A.md', content, version)));
          assert.equal(replaced.filter((result) => result.ok && result.value).length, 1);
          assert.equal(await text(port, 'A.md'), texts[replaced.findIndex((result) => result.ok && result.value)]);
        },
        'versions',
      );

      clause(
        'NOTES-022 has a new version after every change',
        async ({ port }) => {
          await port.create('A.md', issue);
          const versions = new Set([await versionOf(port, 'A.md')]);
          for (const change of [
            () => port.setFrontmatter('A.md', 'status', 'won'),
            () => port.appendUnderHeading('A.md', ['Deal', 'History'], 'second'),
            () => port.append('A.md', 'end\n'),
          ]) {
            await change();
            versions.add(await versionOf(port, 'A.md'));
          }
          assert.equal(versions.size, 4);
          assert.equal(await versionOf(port, 'A.md'), await versionOf(port, 'A.md'));
        },
        'versions',
      );

      clause('NOTES-023 reports a missing note as a failure, and creates none', async ({ port }) => {
        const failures = [
          await port.setFrontmatter('None.md', 'status', 'won'),
          await port.appendUnderHeading('None.md', ['History'], 'first'),
        ];
        assert.deepEqual(
          failures.map((result) => !result.ok && result.failure.reason),
          ['not_found', 'not_found'],
        );
        assert.equal(await noteAt(port, 'None.md'), null);
      });

      clause(
        'NOTES-024 keeps no reference: values that were given or returned may be changed afterwards',
        async ({ port }) => {
          const list = ['x'];
          await port.create('A.md', issue);
          await port.setFrontmatter('A.md', 'list', list);
          tamper(list);
          tamper(await port.read('A.md'));
          tamper(await port.findByFrontmatter('status', 'open'));
          const frontmatter = { tracker_issue_id: 'i-1', status: 'open', list: ['x'] };
          assert.deepEqual((await noteAt(port, 'A.md'))?.frontmatter, frontmatter);
          assert.deepEqual(await port.findByFrontmatter('status', 'open'), { ok: true, value: ['A.md'] });
        },
      );
    },
  });
}
