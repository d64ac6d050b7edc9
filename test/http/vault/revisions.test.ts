import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Outcome } from '#domain/operations/outcome.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openOlderVault } from '#test/support/vault/vault-front.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

type Opened = Awaited<ReturnType<typeof openVaultGateway>>;

const opened: Opened[] = [];
afterEach(() => Promise.all(opened.splice(0).map((gateway) => gateway.close())));

async function open(made: Promise<Opened>): Promise<Opened> {
  const gateway = await made;
  opened.push(gateway);
  return gateway;
}

const here = async () => open(openVaultGateway('neutral', await openTestVault({ listen: null })));
const overRest = () => open(openVaultGateway('neutral'));
const release = async (version: string) => open(openVaultGateway('obsidian', (await openNotesApp(version)).vault));

const text = '---\ntags: [a]\n---\n# Log\n\nold\n';

/** Each tool that writes a note, as a call that succeeds on the note above. */
const writes: readonly (readonly [name: string, input: object])[] = [
  ['notes.write', { mode: 'append', content: 'more' }],
  ['notes.write', { mode: 'overwrite', content: 'new' }],
  ['notes.patch_part', { target: 'Log', content: 'more' }],
  ['notes.replace', { find: 'old', replace: 'new' }],
  ['notes.append', { content: 'more' }],
  ['notes.put', { content: 'new' }],
  ['notes.patch', { operation: 'append', target_type: 'heading', target: 'Log', content: 'more\n' }],
  ['frontmatter.set', { key: 'status', value: 'open' }],
  ['tags.add', { tags: ['b'] }],
  ['tags.remove', { tags: ['a'] }],
  ['notes.delete', {}],
];

const revisionOf = (outcome: Outcome): string | undefined => (outcome.ok ? outcome.revision : undefined);

it.each([
  ['the team’s vault', here],
  ['a vault over its REST interface', overRest],
  ['the notes app', () => release('5.1.0')],
])(
  'a write with the revision that a read stated succeeds once in %s, and then is a conflict (VAULT-013)',
  async (_, start) => {
    const { vault, call } = await start();
    for (const [name, input] of writes) {
      await writeFile(join(vault.folder, 'A.md'), text);
      const read = await call('notes.read_part', { path: 'A.md', format: 'note' });
      const if_match = revisionOf(read);
      expect(if_match).toMatch(/^\w+$/);
      expect({ name, ...(await call(name, { path: 'A.md', ...input, if_match })) }).toMatchObject({ name, ok: true });
      await writeFile(join(vault.folder, 'A.md'), `${text}changed\n`);
      const stale = await call(name, { path: 'A.md', ...input, if_match });
      expect({ name, ...stale }).toMatchObject({
        ok: false,
        reason: 'conflict',
        message: expect.stringMatching(/read it again/i),
      });
      expect(await readFile(join(vault.folder, 'A.md'), 'utf8')).toBe(`${text}changed\n`);
    }
  },
);

it('reads of the text, a part, the frontmatter, the tags and a periodic note state the same revision (VAULT-013)', async () => {
  const { call } = await here();
  await call('periodic.write', { period: 'daily', content: text, date: '2026-03-31' });
  const path = 'Daily/2026-03-31.md';
  const reads = await Promise.all([
    call('notes.read_part', { path }),
    call('notes.read_part', { path, format: 'document_map' }),
    call('frontmatter.get', { path }),
    call('tags.list', { path }),
    call('periodic.read_any', { period: 'daily', date: '2026-03-31' }),
  ]);
  expect(new Set(reads.map(revisionOf))).toEqual(new Set([expect.stringMatching(/^\w{16}$/)]));
  const stale = { period: 'daily', date: '2026-03-31', content: 'x', if_match: '0123456789abcdef' };
  expect(await call('periodic.write', stale)).toMatchObject({ ok: false, reason: 'conflict' });
});

it('a notes app without revisions states none, and refuses a condition by name (VAULT-013)', async () => {
  const { vault, call } = await release('4.1.7');
  await writeFile(join(vault.folder, 'A.md'), text);
  expect(revisionOf(await call('notes.read_part', { path: 'A.md', format: 'note' }))).toBeUndefined();
  for (const [name, input] of writes) {
    const outcome = await call(name, { path: 'A.md', ...input, if_match: '0123456789abcdef' });
    expect({ name, ...outcome }).toMatchObject({
      ok: false,
      message: expect.stringContaining('if_match is not supported'),
    });
  }
  expect(await readFile(join(vault.folder, 'A.md'), 'utf8')).toBe(text);
});

it('text is replaced in a vault without versions as well, and at the version that was read where there is one (VAULT-014)', async () => {
  for (const gateway of [
    await open(openVaultGateway('neutral', await openOlderVault())),
    await here(),
    await overRest(),
  ]) {
    await writeFile(join(gateway.vault.folder, 'A.md'), text);
    const outcome = await gateway.call('notes.replace', { path: 'A.md', find: 'old', replace: 'new' });
    expect(outcome).toMatchObject({ ok: true, data: { path: 'A.md', count: 1, lines: [6] } });
    expect(await readFile(join(gateway.vault.folder, 'A.md'), 'utf8')).toBe(text.replace('old', 'new'));
    expect(gateway.changes).toMatchObject([{ path: 'A.md', kind: 'changed' }]);
    const again = await gateway.call('notes.replace', { path: 'A.md', find: 'old', replace: 'new' });
    expect(again).toMatchObject({ ok: false, reason: 'not_found' });
    const twice = await gateway.call('notes.replace', { path: 'A.md', find: 'g', replace: 'new' });
    expect(twice).toMatchObject({ ok: false, message: expect.stringContaining('1 expected') });
  }
});

it('bytes that are no text are left alone (VAULT-014)', async () => {
  const { vault, call } = await here();
  const bytes = Buffer.from([0x61, 0xff, 0x0a]);
  await writeFile(join(vault.folder, 'A.md'), bytes);
  expect(await call('notes.replace', { path: 'A.md', find: 'a', replace: 'b' })).toMatchObject({
    ok: false,
    reason: 'rejected',
  });
  expect(await readFile(join(vault.folder, 'A.md'))).toEqual(bytes);
});
