import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TrashFiles } from '#adapters/vault-folder/notes/trash-files.ts';
import { noon, openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

const dayMs = 86_400_000;
const keepDeletedMs = 7 * dayMs;
const nobody = () => undefined;

let vault: TestVault;
beforeEach(async () => {
  vault = await openTestVault({ keepDeletedMs });
});
afterEach(() => vault.close());

const place = (path: string) => join(vault.folder, path);
const put = async (path: string, text: string | Uint8Array) => {
  await mkdir(join(place(path), '..'), { recursive: true });
  await writeFile(place(path), text);
};

/** The files below a folder, by their paths in it. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(vault.folder, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(vault.folder, folder).length + 1))
    .sort();
}

const trashed = async () => {
  const files = await filesIn('.trash/portolan');
  return Promise.all(files.map(async (path) => [path, await readFile(place(`.trash/portolan/${path}`))] as const));
};
const deleted = (stem: string) => new RegExp(`^${stem} \\(deleted 2026112\\dT\\d{9}Z-[0-9a-f]{8}\\)`);

describe('a deleted file', () => {
  it.each([
    ['DELETE /vault/{path}', () => vault.ask('DELETE', '/vault/Deals/Acme.md')],
    ['notes.delete', async () => vault.local.get('notes.delete')?.({ path: 'Deals/Acme.md' }, nobody)],
    ['active.delete', async () => vault.local.get('active.delete')?.({}, nobody)],
    ['DELETE /active/', () => vault.ask('DELETE', '/active/')],
  ])('is in the trash after %s, byte for byte (VER-006)', async (_, remove) => {
    await put('Deals/Acme.md', 'one\r\n\uFEFFtwo');
    await vault.ask('POST', '/open/Deals/Acme.md');
    await remove();
    expect(await filesIn('Deals')).toEqual([]);
    const [[path, bytes] = ['', null]] = await trashed();
    expect(path).toMatch(new RegExp(`^Deals/${deleted('Acme').source.slice(1)}\\.md$`));
    expect(bytes?.toString()).toBe('one\r\n\uFEFFtwo');
  });

  it('is nowhere a note: not read, listed, found, tagged, linked to or written (VER-007)', async () => {
    await vault.ask('PUT', '/vault/Here.md', { body: 'Stays.' });
    await vault.ask('PUT', '/vault/Deals/Acme.md', { body: '---\nkind: deal\n---\nzebra #gone [[Here]]' });
    await vault.ask('DELETE', '/vault/Deals/Acme.md');
    const [[name] = ['']] = await trashed();
    const inTrash = `.trash/portolan/${name}`;
    const encoded = inTrash.split('/').map(encodeURIComponent).join('/');
    expect((await vault.ask('GET', `/vault/${encoded}`)).status).toBe(404);
    for (const method of ['PUT', 'POST', 'DELETE']) {
      expect((await vault.ask(method, `/vault/${encoded}`, { body: 'x' })).status).toBe(404);
    }
    for (const folder of ['.trash/', '.trash/portolan/', '.trash/portolan/Deals/', 'Deals/']) {
      expect((await vault.ask('GET', `/vault/${folder}`)).status).toBe(404);
    }
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: ['Here.md'] });
    expect(await (await vault.ask('POST', '/search/simple/?query=zebra')).json()).toEqual([]);
    expect(await (await vault.ask('GET', '/tags/')).json()).toEqual({ tags: [] });
    const rule = { body: '{"==": [{"var": "frontmatter.kind"}, "deal"]}' };
    const type = { 'content-type': 'application/vnd.olrapi.jsonlogic+json' };
    expect(await (await vault.ask('POST', '/search/', { ...rule, headers: type })).json()).toEqual([]);
    const here = await vault.local.get('notes.read')?.({ path: 'Here.md', format: 'note' }, nobody);
    expect(here).toMatchObject({ data: { backlinks: [] } });
    const move = await vault.local.get('notes.move')?.({ path: 'Here.md', to: `${inTrash}.md` }, nobody);
    expect(move).toMatchObject({ ok: false, reason: 'not_found' });
    const found = await vault.local.get('notes.move')?.({ path: inTrash, to: 'Back.md' }, nobody);
    expect(found).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it.each([
    ['a note of 5 MB', 'Large.md', Buffer.alloc(5_000_000, 'line\n')],
    ['an attachment', 'Files/crane.png', Buffer.from([0x89, 0x50, 0, 1, 2, 0xff, 0xfe])],
    ['a file without an ending', 'Files/LICENSE', 'text'],
    ['a file of several endings', 'Files/a.tar.gz', 'text'],
    ['a name of 250 bytes', `Files/${'n'.repeat(247)}.md`, 'text'],
    ['a name of many bytes', `Files/${'ü€'.repeat(49)}.md`, 'text'],
    ['folders of 1,500 bytes', `${'f'.repeat(150)}/${`${'g'.repeat(150)}/`.repeat(9)}Note.md`, 'text'],
    ['a name like one in the trash', 'Files/A (deleted 20261121T110000000Z-00000000).md', 'text'],
  ])('may be %s (VER-006)', async (_, path, text) => {
    await put(path, text);
    expect(await vault.local.get('notes.delete')?.({ path }, nobody)).toMatchObject({ ok: true });
    expect(await vault.read(path)).toBe(404);
    const [[, bytes] = ['', null]] = await trashed();
    expect(bytes?.equals(Buffer.from(text))).toBe(true);
    const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
    const [found] = await trash.list(path);
    expect(found?.at).toBe(noon);
    expect((await trash.read(path, found?.id ?? ''))?.equals(Buffer.from(text))).toBe(true);
  });

  it('stands beside earlier ones of its path, and those of like names (VER-006)', async () => {
    for (const text of ['first', 'second', 'third']) {
      await put('A.md', text);
      await put('A/B.md', text);
      await put('a.md', `small ${text}`);
      for (const path of ['A.md', 'A/B.md', 'a.md']) await vault.local.get('notes.delete')?.({ path }, nobody);
    }
    const files = await trashed();
    expect(files.map(([, bytes]) => bytes.toString()).sort()).toEqual(
      ['first', 'first', 'second', 'second', 'small first', 'small second', 'small third', 'third', 'third'].sort(),
    );
    const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
    for (const path of ['A.md', 'A/B.md', 'a.md']) expect(await trash.list(path)).toHaveLength(3);
  });

  it('comes to one of two places, however many delete it at once (VER-006)', async () => {
    const other = await openTestVault({ folder: vault.folder, keepDeletedMs });
    await put('A.md', 'once');
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, number) => (number % 2 === 0 ? vault : other).ask('DELETE', '/vault/A.md')),
    );
    expect(all.filter(({ status }) => status === 204).length).toBe(1);
    expect((await trashed()).map(([, bytes]) => bytes.toString())).toEqual(['once']);
    await other.close();
  });

  it('is said to be there, and for how long (VER-009)', async () => {
    await put('A.md', 'text');
    expect(await vault.local.get('notes.delete')?.({ path: 'A.md' }, nobody)).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/stays in the trash for 7 days; vault_note_restore/)],
    });
  });

  it('is deleted for good without a trash, and said to be (VER-009)', async () => {
    const other = await openTestVault({ keepDeletedMs: 0 });
    await writeFile(join(other.folder, 'A.md'), 'text');
    const sentences: (string | null)[] = [];
    const outcome = await other.local.get('notes.delete')?.({ path: 'A.md' }, nobody, async ({ irreversible }) => {
      sentences.push(irreversible);
      return true;
    });
    expect(outcome).toMatchObject({ ok: true, warnings: [expect.stringMatching(/deleted for good/)] });
    expect(sentences).toEqual([expect.stringMatching(/deleted for good.*UNDO_DAYS=0/)]);
    expect(await readdir(other.folder)).toEqual([]);
    await other.close();
  });
});

it('a file that a program deleted is a version without whose it is, which comes back (VER-012, VER-014)', async () => {
  await put('Deals/A.md', 'one\ntwo');
  await vault.ask('DELETE', '/vault/Deals/A.md');
  const versions = await vault.local.get('notes.versions')?.({ path: 'Deals/A.md', limit: 20 }, nobody);
  expect(versions).toMatchObject({
    ok: true,
    data: [{ at: new Date(noon).toISOString(), change: 'deleted', added: 0, removed: 2, restorable: true }],
  });
  expect(JSON.stringify(versions)).not.toMatch(/"(?:user|email|app)"/);
  expect(await vault.local.get('notes.restore')?.({ path: 'Deals/A.md' }, nobody)).toMatchObject({ ok: true });
  expect(await vault.read('Deals/A.md')).toBe('one\ntwo');
});

describe('the trash', () => {
  const at = (time: number) => new Date(time).toISOString().replaceAll(/[-:.]/g, '');
  const named = (stem: string, time: number) => `.trash/portolan/${stem} (deleted ${at(time)}-0a1b2c3d).md`;

  it('is emptied of what is older, with the folders; what others put there stays (VER-008)', async () => {
    const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
    const kept = [
      named('New', noon - dayMs),
      '.trash/Acme.md',
      '.trash/portolan/By hand.md',
      '.trash/portolan/Deals/By hand (deleted yesterday).md',
    ];
    const old = [named('Old', noon - 2 * dayMs), named('Deals/Old', noon - 9 * dayMs), named('Empty/In/Old', 0)];
    for (const path of [...kept, ...old]) await put(path, 'text');
    expect(await trash.empty(noon - 1.5 * dayMs)).toBe(3);
    expect((await filesIn('.trash')).map((path) => `.trash/${path}`)).toEqual([...kept].sort());
    expect(await readdir(place('.trash/portolan'))).not.toContain('Empty');
  });

  it.each([
    ['as long as changes are kept', 3 * dayMs, [2, 4]],
    ['for a day at least', 0, [0.5, 1.5]],
  ])('is emptied by each start, of what was there %s (VER-008)', async (_, kept, [young = 0, old = 0]) => {
    await put(named('Young', noon - young * dayMs), 'text');
    await put(named('Old', noon - old * dayMs), 'text');
    const next = await openTestVault({ folder: vault.folder, keepDeletedMs: kept });
    await expect.poll(() => filesIn('.trash/portolan')).toHaveLength(1);
    expect((await filesIn('.trash/portolan'))[0]).toMatch(/^Young/);
    await next.close();
  });

  it('is not emptied while the folder is away', async () => {
    await put(named('Old', 0), 'text');
    const trash = new TrashFiles({ root: vault.folder, isAway: () => true });
    await expect(trash.empty(noon)).rejects.toMatchObject({ code: 'ENODEV' });
    expect(await filesIn('.trash')).toHaveLength(1);
  });

  it('that is empty or missing has nothing to list, read or empty', async () => {
    const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
    expect([await trash.list('A.md'), await trash.read('A.md', 'x'), await trash.empty(noon)]).toEqual([[], null, 0]);
  });
});
