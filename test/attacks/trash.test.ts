import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TrashFiles } from '#adapters/vault-folder/notes/trash-files.ts';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

// Links and files in place of the trash, and names that lead into it, move no note out of the vault or back into it.

const dayMs = 86_400_000;
let vault: TestVault;
let outside: string;

beforeEach(async () => {
  vault = await openTestVault({ keepDeletedMs: dayMs });
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(vault.folder, 'A.md'), 'text');
});
afterEach(async () => {
  await vault.close();
  await rm(outside, { recursive: true, force: true });
});

const remove = async (path = 'A.md') => vault.local.get('notes.delete')?.({ path }, () => undefined);

it.each([
  ['a link out of the vault', '.trash', () => symlink(outside, join(vault.folder, '.trash'))],
  ['a link to where notes are', '.trash', () => symlink(join(vault.folder, 'Notes'), join(vault.folder, '.trash'))],
  ['a link to nothing', '.trash', () => symlink(join(outside, 'none'), join(vault.folder, '.trash'))],
  ['a file', '.trash', () => writeFile(join(vault.folder, '.trash'), 'x')],
  ['a link further in', '.trash/portolan', () => symlink(outside, join(vault.folder, '.trash', 'portolan'))],
])('%s in place of the trash keeps the note from being deleted, and gets nothing (VER-010)', async (_, at, make) => {
  await mkdir(join(vault.folder, 'Notes'));
  if (at !== '.trash') await mkdir(join(vault.folder, '.trash'));
  await make();
  expect(await remove()).toMatchObject({
    ok: false,
    reason: 'unavailable',
    message: expect.stringContaining('.trash'),
  });
  expect((await vault.ask('DELETE', '/vault/A.md')).status).toBe(503);
  expect(await readFile(join(vault.folder, 'A.md'), 'utf8')).toBe('text');
  expect([await readdir(outside), await readdir(join(vault.folder, 'Notes'))]).toEqual([[], []]);
});

it('a folder of the trash that is a link gets nothing, and is not emptied (VER-010)', async () => {
  await mkdir(join(vault.folder, 'Deals'));
  await writeFile(join(vault.folder, 'Deals', 'B.md'), 'text');
  await mkdir(join(vault.folder, '.trash', 'portolan'), { recursive: true });
  await symlink(outside, join(vault.folder, '.trash', 'portolan', 'Deals'));
  const old = 'B (deleted 20200101T000000000Z-0a1b2c3d).md';
  await writeFile(join(outside, old), 'not ours');
  expect(await remove('Deals/B.md')).toMatchObject({ ok: false, reason: 'unavailable' });
  const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
  expect(await trash.list('Deals/B.md')).toEqual([]);
  expect(await trash.read('Deals/B.md', '20200101T000000000Z-0a1b2c3d')).toBeNull();
  expect(await trash.empty(Date.now())).toBe(0);
  expect(await readdir(outside)).toEqual([old]);
});

it('a link among the deleted files is neither listed, read nor followed (VER-010)', async () => {
  await writeFile(join(outside, 'secret'), 'secret');
  await mkdir(join(vault.folder, '.trash', 'portolan'), { recursive: true });
  const id = '20200101T000000000Z-0a1b2c3d';
  await symlink(join(outside, 'secret'), join(vault.folder, '.trash', 'portolan', `A (deleted ${id}).md`));
  const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
  expect([await trash.list('A.md'), await trash.read('A.md', id), await trash.empty(Date.now())]).toEqual([
    [],
    null,
    0,
  ]);
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
});

it('an id is no way to another file (VER-010)', async () => {
  await remove();
  await mkdir(join(vault.folder, 'B (deleted x'), { recursive: true });
  const trash = new TrashFiles({ root: vault.folder, isAway: () => false });
  const [{ id } = { id: '' }] = await trash.list('A.md');
  expect(id).not.toBe('');
  for (const forged of [
    `../${id}`,
    `${id}/../${id}`,
    `${id}\0`,
    '',
    '..',
    `x/../../../A.md`,
    id.toUpperCase(),
    `${id} `,
  ]) {
    expect(await trash.read('A.md', forged)).toBeNull();
  }
  for (const other of ['B.md', 'a.md', 'Deals/A.md', 'A', 'A.txt']) expect(await trash.read(other, id)).toBeNull();
});

it('names in the trash are no paths of notes, in any spelling (VER-007)', async () => {
  await remove();
  const [name = ''] = await readdir(join(vault.folder, '.trash', 'portolan'));
  const spellings = ['.trash', './.trash', 'Deals/../.trash', './/.trash/.', '.TRASH', '.trash ', 'Deals/.trash'];
  for (const folder of spellings) {
    for (const path of [`${folder}/portolan/${name}`, `${folder}/New.md`]) {
      for (const operation of ['notes.read', 'notes.put', 'notes.append', 'notes.delete', 'files.read', 'open.file']) {
        const input = { path, filename: path, content: 'x' };
        const outcome = await vault.local.get(operation)?.(input, () => undefined);
        expect({ operation, path, ok: outcome?.ok }).toEqual({ operation, path, ok: false });
      }
    }
  }
  expect(await readdir(join(vault.folder, '.trash', 'portolan'))).toEqual([name]);
});
