import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operations } from '#adapters/services/vault/operations.ts';
import { ended, openPlannedVault } from '#test/support/vault/planned-vault.ts';
import { vaultChanges as changing, deal } from '#test/support/vault/vault-changes.ts';

let vault: Awaited<ReturnType<typeof openPlannedVault>>;
beforeEach(async () => {
  vault = await openPlannedVault();
});
afterEach(() => vault.close());

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(vault.folder, path)), { recursive: true });
  await writeFile(join(vault.folder, path), content);
}

const read = (path: string): Promise<Buffer> => readFile(join(vault.folder, path));

/** All files of the vault that are seen, with their bytes. */
async function files(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(vault.folder, { recursive: true, withFileTypes: true });
  const seen = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(vault.folder.length + 1))
    .filter((path) => !path.startsWith('.'));
  const contents = await Promise.all(
    seen.sort().map(async (path) => [path, (await read(path)).toString('latin1')] as const),
  );
  return Object.fromEntries(contents);
}

/** Notes that the vault's index knows at once; the last that is opened is the active one. */
async function begin(): Promise<void> {
  await vault.change('notes.put', { path: 'Deal.md', content: deal });
  const content = '# Person\r\n\r\nSee [[Deal#Log]] and [[Deal]] #a/b';
  await vault.change('notes.put', { path: 'Person.md', content });
  await vault.change('notes.put', { path: '2026.md', content: 'The year' });
  await vault.change('notes.put', { path: 'Gone.md', content: 'gone' });
  await vault.change('notes.delete', { path: 'Gone.md' });
  await vault.change('open.file', { filename: 'Deal' });
}

it('each operation that changes the team’s vault is here', () => {
  const all = Object.entries(operations).filter(([, { effect }]) => effect !== 'read');
  expect(Object.keys(changing).sort()).toEqual(all.map(([name]) => name).sort());
});

it.each(Object.entries(changing))(
  '%s writes nothing when it is ended, and is taken back whole (VER-001)',
  async (name, input) => {
    await begin();
    const before = await files();
    const dry = await vault.plan(name, input, ended);
    expect(dry.outcome).toEqual(ended);
    expect(await files()).toEqual(before);
    const made = await vault.plan(name, input);
    expect(made).toMatchObject({ outcome: { ok: true }, plans: [{ irreversible: null }] });
    const after = await files();
    expect(after).not.toEqual(before);
    expect(dry.plans.map(({ differences, state }) => ({ differences, state }))).toEqual(
      made.plans.map(({ differences, state }) => ({ differences, state })),
    );
    for (const { path, before: text, after: next, to } of made.plans[0]?.differences.flatMap((one) =>
      one.kind === 'text' ? one : [],
    ) ?? []) {
      expect(text).toBe(before[path] ?? null);
      expect(next).toBe(after[to ?? path] ?? null);
    }
    const undo = made.plans[0]?.undo({ ok: true, data: null }) ?? null;
    const shown = await vault.takeBack({ name, undo, end: ended });
    expect(shown.outcome).toEqual(ended);
    expect(await files()).toEqual(after);
    expect(await vault.takeBack({ name, undo })).toMatchObject({ outcome: { ok: true } });
    expect(await files()).toEqual(before);
  },
);

it('later edits of other lines stay when a change is taken back (VER-002)', async () => {
  await write('Deal.md', deal);
  const undo = await vault.change('notes.replace', { path: 'Deal.md', find: '- one', replace: '- 1\n- 2' });
  await write('Deal.md', `${(await read('Deal.md')).toString().replace('# Deal', '# Big deal')}\nA person’s line`);
  expect(await vault.takeBack({ name: 'notes.replace', undo })).toMatchObject({ outcome: { ok: true } });
  expect((await read('Deal.md')).toString()).toBe(`${deal.replace('# Deal', '# Big deal')}\nA person’s line`);
});

it('lines that somebody changed since are named, and overwritten only by force (VER-003)', async () => {
  await write('Deal.md', deal);
  const undo = await vault.change('notes.replace', { path: 'Deal.md', find: '- one', replace: '- two' });
  await write('Deal.md', deal.replace('- one', '- three').replace('# Deal', '# Big deal'));
  const refused = await vault.takeBack({ name: 'notes.replace', undo });
  expect(refused.outcome).toMatchObject({ reason: 'conflict', message: expect.stringMatching(/"Deal\.md".* 11\b/) });
  expect(refused.plans).toEqual([]);
  expect(await vault.takeBack({ name: 'notes.replace', undo }, true)).toMatchObject({ outcome: { ok: true } });
  expect((await read('Deal.md')).toString()).toBe(deal.replace('# Deal', '# Big deal'));
});

it('a note that was made is deleted only as long as it is unchanged (VER-004)', async () => {
  const undo = await vault.change('notes.write', { path: 'New.md', content: 'new' });
  await write('New.md', 'new, and a person’s');
  expect(await vault.takeBack({ name: 'notes.write', undo })).toMatchObject({
    outcome: { reason: 'conflict', message: expect.stringContaining('"New.md"') },
  });
  await write('New.md', 'new');
  expect(await vault.takeBack({ name: 'notes.write', undo })).toMatchObject({ outcome: { ok: true } });
  expect(await files()).toEqual({});
});

it('a note that was deleted does not take the place of another (VER-004)', async () => {
  await write('Deal.md', deal);
  const undo = await vault.change('notes.delete', { path: 'Deal.md' });
  await write('Deal.md', 'another');
  expect(await vault.takeBack({ name: 'notes.delete', undo })).toMatchObject({ outcome: { reason: 'conflict' } });
  expect((await read('Deal.md')).toString()).toBe('another');
});

it('a note is not moved back over another (VER-004)', async () => {
  await write('Deal.md', deal);
  const undo = await vault.change('notes.move', { path: 'Deal.md', to: 'Old.md' });
  await write('Deal.md', 'another');
  expect(await vault.takeBack({ name: 'notes.move', undo })).toMatchObject({ outcome: { reason: 'conflict' } });
  expect(await files()).toEqual({ 'Deal.md': 'another', 'Old.md': deal });
});

it('what was kept of a change elsewhere is not taken back here', async () => {
  await write('Deal.md', deal);
  const undo = await vault.change('notes.put', { path: 'Deal.md', content: 'x' });
  expect(await vault.takeBack({ name: 'notes.put', undo: { ...undo, notes: 'none' } })).toMatchObject({
    outcome: { reason: 'invalid_input' },
  });
});

const line = 'a line of a note, of some length\n';

it.each([
  ['line ends of two characters', Buffer.from('a\r\nb\r\nc'), 'a\r\nB\r\nc\r\n'],
  ['no final line end', Buffer.from('a\nb'), 'a\nb\n'],
  ['nothing', Buffer.alloc(0), 'a'],
  ['zeros and bytes that are no text', Buffer.from([0, 255, 10, 0, 254, 13, 0xc3, 0x28]), 'text'],
  ['a mark at its start', Buffer.from('\uFEFFa\nb'), 'a\nb'],
  ['4 MB', Buffer.from(line.repeat(125_000)), `${line.repeat(60_000)}one more\n${line.repeat(65_000)}`],
])('a note with %s is taken back byte for byte (VER-001)', async (_, bytes, content) => {
  await write('A.md', bytes);
  const undo = await vault.change('notes.put', { path: 'A.md', content });
  expect(JSON.stringify(undo).length).toBeLessThan(1_000_000);
  expect((await read('A.md')).toString()).toBe(content);
  expect(await vault.takeBack({ name: 'notes.put', undo })).toMatchObject({ outcome: { ok: true } });
  expect((await read('A.md')).equals(bytes)).toBe(true);
});

it('a deleted file of any size is taken back from the trash byte for byte, and not once it is gone (VER-009)', async () => {
  const bytes = Buffer.alloc(6_000_000, 'zebra\r\n');
  await write('Large.md', bytes);
  const deleting = await vault.plan('notes.delete', { path: 'Large.md' });
  expect(deleting).toMatchObject({ outcome: { ok: true }, plans: [{ irreversible: null }] });
  const undo = deleting.plans[0]?.undo({ ok: true, data: null }) ?? null;
  expect(JSON.stringify(undo).length).toBeLessThan(1_000);
  expect((await vault.takeBack({ name: 'notes.delete', undo })).outcome).toMatchObject({ ok: true });
  expect((await read('Large.md')).equals(bytes)).toBe(true);
  const again = await vault.change('notes.delete', { path: 'Large.md' });
  await rm(join(vault.folder, '.trash'), { recursive: true });
  expect((await vault.takeBack({ name: 'notes.delete', undo: again })).outcome).toMatchObject({
    ok: false,
    reason: 'conflict',
    message: expect.stringContaining('"Large.md" is not in the trash any more'),
  });
});

it.each([
  [20_000, null],
  [20_001, expect.stringMatching(/"Log\.md" has more than 20000 lines: .* as long as nobody else changes it/)],
])('a note of %i lines says before whether later edits stay (VER-011)', async (lines, irreversible) => {
  await write('Log.md', Array.from({ length: lines }, (_, number) => `${number}`).join('\n'));
  const content = Array.from({ length: lines }, (_, number) => (number === 5 ? 'five' : `${number}`)).join('\n');
  const dry = await vault.plan('notes.put', { path: 'Log.md', content }, ended);
  expect(dry.plans).toMatchObject([{ irreversible }]);
  const undo = await vault.change('notes.put', { path: 'Log.md', content });
  await write('Log.md', `${content}\nby hand`);
  const { outcome } = await vault.takeBack({ name: 'notes.put', undo });
  expect(outcome).toMatchObject(irreversible === null ? { ok: true } : { ok: false, reason: 'conflict' });
});
