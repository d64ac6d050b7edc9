import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
beforeEach(async () => {
  vault = await openTestVault();
});
afterEach(() => vault.close());

const [composed, decomposed] = ['Büro/Café.md'.normalize('NFC'), 'Büro/Café.md'.normalize('NFD')];
/** Names that are equal to their NFC, and that are neither in NFC nor in NFD: half composed, and of compatibility. */
const others = ['Vie\u{323}t\u{302}.md', 'Cafe\u{301} f\u{fc}r.md', '\u{fa19}社.md', '\u{212b}ngstr\u{f6}m.md'];

const local = async (name: string, input: Readonly<Record<string, unknown>>) =>
  vault.local.get(name)?.(input, () => undefined);
const put = async (path: string, text: string) => {
  await mkdir(join(vault.folder, path, '..'), { recursive: true });
  await writeFile(join(vault.folder, path), text);
};
const filesIn = async (folder: string) => (await readdir(join(vault.folder, folder))).toSorted();
const headers = { 'Content-Type': 'text/markdown' };
const url = (path: string) => `/vault/${encodeURIComponent(path)}`;

describe.each([
  ['NFC', composed],
  ['NFD', decomposed],
])('a note whose name is in %s on the disk', (_, onDisk) => {
  beforeEach(async () => {
    await put(onDisk, 'text\n');
    await vault.ask('POST', '/commands/vault%3Arebuild-index/');
  });

  it('is read, written and deleted by either form, and keeps its spelling (EMB-027)', async () => {
    for (const path of [composed, decomposed]) {
      expect(await vault.read(path)).toBe('text\n');
      expect(await local('notes.read', { path, format: 'note' })).toMatchObject({ ok: true, data: { path: composed } });
    }
    await local('notes.append', { path: composed, content: 'a\n' });
    await vault.ask('POST', url(decomposed), { body: 'b\n', headers });
    await local('notes.patch', {
      path: decomposed,
      operation: 'replace',
      target_type: 'frontmatter',
      target: 'k',
      content: 1,
      create_target_if_missing: true,
    });
    expect(await readFile(join(vault.folder, onDisk), 'utf8')).toBe('---\nk: 1\n---\ntext\na\nb\n');
    expect(await local('notes.put', { path: composed, content: 'x', if_none_match: '*' })).toMatchObject({
      reason: 'conflict',
    });
    const [folder = '', name = ''] = onDisk.split('/');
    expect([await filesIn(''), await filesIn(folder)]).toEqual([[folder], [name]]);
    const other = onDisk === composed ? decomposed : composed;
    expect((await vault.ask('DELETE', url(other))).status).toBe(204);
    expect(await filesIn(folder)).toEqual([]);
  });

  it('is listed, found and linked to under one name (EMB-027)', async () => {
    await put('A.md', `[[${'Café'.normalize('NFC')}]]`);
    await put('B.md', `[x](<${decomposed}>)`);
    await vault.ask('POST', '/commands/vault%3Arebuild-index/');
    for (const folder of [composed, decomposed].map((path) => path.split('/')[0] ?? '')) {
      expect(await local('folders.list', { dir_path: folder })).toMatchObject({
        data: { files: ['Café.md'.normalize('NFC')] },
      });
    }
    expect(await local('notes.read', { path: decomposed, format: 'note' })).toMatchObject({
      data: { backlinks: ['A.md', 'B.md'] },
    });
  });

  it('has its changes by other programs noticed (EMB-027)', async () => {
    const [folder = ''] = onDisk.split('/');
    await put(`${folder}/${'Ö.md'.normalize('NFD')}`, 'zebra');
    await vi.waitFor(async () => {
      const found = await local('search.simple', { query: 'zebra', contextLength: 0 });
      expect(found).toMatchObject({ data: [{ filename: 'Büro/Ö.md'.normalize('NFC') }] });
    });
    await rm(join(vault.folder, folder), { recursive: true });
    await put(`${folder}/New.md`, 'zebra');
    await vi.waitFor(async () => {
      const found = await local('search.simple', { query: 'zebra', contextLength: 0 });
      expect(found).toMatchObject({ data: [{ filename: 'Büro/New.md'.normalize('NFC') }] });
    });
  });
});

it('two forms of a new name make one note (EMB-027)', async () => {
  for (const path of [decomposed, composed]) await local('notes.append', { path, content: 'x\n' });
  expect([await filesIn(''), await filesIn('Büro'.normalize('NFC'))]).toEqual([
    ['Büro'.normalize('NFC')],
    ['Café.md'.normalize('NFC')],
  ]);
});

it.each(others)('a note whose name is in neither form is one as well: %s (EMB-027)', async (onDisk) => {
  await put(onDisk, 'text\n');
  await vault.ask('POST', '/commands/vault%3Arebuild-index/');
  for (const path of [onDisk, onDisk.normalize('NFC'), onDisk.normalize('NFD')]) {
    expect(await local('notes.append', { path, content: 'x\n' })).toMatchObject({ ok: true });
  }
  expect([await filesIn(''), await readFile(join(vault.folder, onDisk), 'utf8')]).toEqual([
    [onDisk],
    'text\nx\nx\nx\n',
  ]);
  expect(await local('folders.root', {})).toMatchObject({ data: { files: [onDisk.normalize('NFC')] } });
});

describe('a name that cannot be seen', () => {
  it.each([' ', 'a/ /b.md', '\u{a0}.md', '\u{200b}', 'a/\t.md', '\u{3000}/x.md'])(
    '%j is refused, and nothing is made (EMB-028)',
    async (path) => {
      expect(await local('notes.append', { path, content: 'x' })).toMatchObject({ reason: 'invalid_input' });
      expect((await vault.ask('PUT', url(path), { body: 'x', headers })).status).toBe(400);
      expect(await filesIn('')).toEqual([]);
    },
  );
});

describe('a path of the other kind', () => {
  beforeEach(async () => {
    await put('folder/a.md', 'text');
    await put('file', 'text');
    await vault.ask('POST', '/commands/vault%3Arebuild-index/');
  });

  it.each(['folder', 'folder/'])('%s is refused as a note, with what lists it (EMB-028)', async (path) => {
    for (const format of ['markdown', 'note', 'document_map']) {
      expect(await local('notes.read_part', { path, format, from: 0 })).toMatchObject({
        reason: 'invalid_input',
        message: `"${path}" is a folder, not a note. vault_vault_list lists what is in it.`,
      });
    }
  });

  it.each(['file', 'folder/a.md'])('%s is refused as a folder (EMB-028)', async (path) => {
    expect(await local('folders.list', { dir_path: path })).toMatchObject({
      reason: 'not_found',
      message: expect.stringContaining('This is the path of a file, not of a folder.'),
    });
    const answer = await vault.ask('GET', `/vault/${path}/`);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('the path of a file')]);
  });
});
