import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

/** How long something may take to come about, however busy the machine is. */
const soon = { timeout: 60_000 };

type Open = Awaited<ReturnType<typeof openVaultGateway>>;
let open: Open | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

/** A vault with a few notes, through the gateway. */
const vaultWith = async (notes: Readonly<Record<string, string>>, dialect: 'neutral' | 'obsidian' = 'neutral') => {
  open = await openVaultGateway(dialect);
  for (const [path, text] of Object.entries(notes)) await open.vault.ask('PUT', `/vault/${path}`, { body: text });
  return open;
};
const published = (path: string, kind: 'made' | 'changed' | 'gone' = 'changed') => ({ userId: 1, path, kind });

const frontmatter = '---\nstatus: open\ntags: [a]\n---\n# Deal\n\n## History\n';

describe.each(['neutral', 'obsidian'] as const)('an operation of the vault, in the dialect %s,', (dialect) => {
  it.each<[string, string, object, ReturnType<typeof published>]>([
    ['makes a note', 'notes.write', { path: 'Deals/New one.md', content: 'x' }, published('Deals/New one.md', 'made')],
    ['appends to one', 'notes.write', { path: 'a.md', content: 'x', mode: 'append' }, published('a.md')],
    ['overwrites one', 'notes.write', { path: 'a.md', content: 'x', mode: 'overwrite' }, published('a.md')],
    ['puts one over REST', 'notes.put', { path: 'a.md', content: 'x' }, published('a.md')],
    ['deletes one', 'notes.delete', { path: 'a.md' }, published('a.md', 'gone')],
    ['changes a part', 'notes.patch_part', { path: 'a.md', target: 'History', content: 'x' }, published('a.md')],
    [
      'sets a key of the frontmatter',
      'frontmatter.set',
      { path: 'a.md', key: 'status', value: 'won' },
      published('a.md'),
    ],
    ['adds a tag', 'tags.add', { path: 'a.md', tags: ['b'] }, published('a.md')],
    ['takes a tag away', 'tags.remove', { path: 'a.md', tags: ['a'] }, published('a.md')],
    ['writes the note of today', 'periodic.write', { period: 'daily', content: 'x' }, published('Daily/2026-11-21.md')],
    [
      'writes the note of a day',
      'periodic.write',
      { period: 'weekly', content: 'x', date: '2026-01-05' },
      published('Weekly/2026-W02.md'),
    ],
    ['appends to the active note', 'active.append', { content: 'x' }, published('a.md')],
  ])('%s, which is published with the path', async (_, name, input, change) => {
    const { call, changes } = await vaultWith({ 'a.md': frontmatter }, dialect);
    expect(await call(name, input)).toMatchObject({ ok: true });
    expect(changes).toEqual([change]);
  });

  it.each([
    ['reads', 'notes.read', { path: 'a.md' }],
    ['reads the frontmatter', 'frontmatter.get', { path: 'a.md' }],
    ['searches', 'search.simple', { query: 'Deal' }],
    ['adds a tag that is there', 'tags.add', { path: 'a.md', tags: ['a'] }],
    ['is refused', 'notes.write', { path: 'a.md', content: 'x' }],
    ['finds nothing to delete', 'notes.delete', { path: 'none.md' }],
  ])('that %s publishes nothing', async (_, name, input) => {
    const { call, changes } = await vaultWith({ 'a.md': frontmatter }, dialect);
    await call(name, input);
    expect(changes).toEqual([]);
  });
});

describe('the folder of the embedded vault', () => {
  const changes: string[] = [];
  let vault: TestVault;
  const watch = async (notes: Readonly<Record<string, string>> = {}) => {
    changes.length = 0;
    vault = await openTestVault({ onFile: (path, change) => changes.push(`${change} ${path}`) });
    for (const [path, text] of Object.entries(notes)) await vault.ask('PUT', `/vault/${path}`, { body: text });
    // A search waits until the folder has been read.
    await vault.ask('POST', '/search/simple/?query=x');
    changes.length = 0;
  };
  afterEach(() => vault.close());

  it('reports what another program creates, changes and removes in it', async () => {
    await watch();
    const path = join(vault.folder, 'a.md');
    await writeFile(path, 'one');
    await expect.poll(() => changes, soon).toContain('made a.md');
    await writeFile(path, 'two');
    await expect.poll(() => changes, soon).toContain('changed a.md');
    await rm(path);
    await expect.poll(() => changes, soon).toContain('gone a.md');
  });

  it('reports each note when a folder is renamed', async () => {
    await watch({ 'Deals/a.md': 'a', 'Deals/b.md': 'b' });
    await rename(join(vault.folder, 'Deals'), join(vault.folder, 'Won'));
    await expect
      .poll(() => changes.toSorted(), soon)
      .toEqual(['gone Deals/a.md', 'gone Deals/b.md', 'made Won/a.md', 'made Won/b.md']);
  });

  it('reports what is written through its own interface once it is done', async () => {
    await watch();
    await vault.ask('PUT', '/vault/a.md', { body: 'one' });
    expect(changes).toEqual(['made a.md']);
    await vault.ask('POST', '/commands/file-explorer%3Anew-file/');
    expect(changes).toEqual(['made a.md', 'made Untitled.md']);
    await vault.ask('DELETE', '/vault/a.md');
    expect(changes).toEqual(['made a.md', 'made Untitled.md', 'gone a.md']);
  });

  it("reports nothing for a note that was only touched, nor for the notes app's own folder", async () => {
    await watch({ 'a.md': 'a' });
    await utimes(join(vault.folder, 'a.md'), new Date(), new Date());
    await mkdir(join(vault.folder, '.obsidian'));
    await writeFile(join(vault.folder, '.obsidian', 'app.md'), 'x');
    await writeFile(join(vault.folder, 'last.md'), 'x');
    await expect.poll(() => changes, soon).toContain('made last.md');
    expect(changes.filter((change) => !change.endsWith('last.md'))).toEqual([]);
  });

  it('reports nothing that existed at the start', async () => {
    await watch({ 'a.md': 'a' });
    const found: string[] = [];
    const again = await openTestVault({ folder: vault.folder, onFile: (path) => found.push(path) });
    await again.ask('POST', '/search/simple/?query=x');
    await writeFile(join(vault.folder, 'b.md'), 'x');
    await expect.poll(() => found, soon).toContain('b.md');
    expect(found).not.toContain('a.md');
    await again.close();
  });
});
