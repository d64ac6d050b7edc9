import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSavedIndex, saveIndex } from '#adapters/vault-folder/index/saved-index.ts';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let made: string;
let vault: TestVault | null = null;
beforeEach(async () => {
  made = await mkdtemp(join(tmpdir(), 'saved-index-'));
  await mkdir(join(made, 'data'));
});
afterEach(async () => {
  await vault?.close();
  await rm(made, { recursive: true, force: true });
});

const savedIndex = () => join(made, 'data', 'vault-index.jsonl');

/** Starts the vault over the same folder, as the next run of the server does. */
async function start(): Promise<TestVault> {
  await vault?.close();
  vault = await openTestVault({ folder: join(made, 'notes'), savedIndex: savedIndex() });
  return vault;
}

const put = (on: TestVault, path: string, body: string) =>
  on.ask('PUT', `/vault/${path}`, { body, headers: { 'Content-Type': 'text/markdown' } });

async function search(on: TestVault, type: string, query: string): Promise<readonly string[]> {
  const headers = { 'Content-Type': `application/vnd.olrapi.${type}` };
  const answer = await on.ask('POST', '/search/', { body: query, headers });
  const hits: readonly { filename: string }[] = JSON.parse(await answer.text());
  return hits.map(({ filename }) => filename).sort();
}

const withId = (on: TestVault, id: string) =>
  search(on, 'jsonlogic+json', JSON.stringify({ '===': [{ var: 'frontmatter.id' }, id] }));

/** What the vault said of the last reading: how many bytes of text it read. */
const textRead = ({ lines }: TestVault) =>
  lines.findLast(({ message }) => message === 'The vault has been read')?.fields['textBytes'];

const reasons = ({ lines }: TestVault) =>
  lines.filter(({ message }) => message === 'The saved index is rebuilt').map(({ fields }) => fields['reason']);

/** Three notes, known by `id`. */
async function fill(): Promise<void> {
  const on = await start();
  await put(on, 'a.md', '---\nid: one\n---\n[[b]]\n');
  await put(on, 'b.md', '---\nid: two\n---\nThe word albatross.\n');
  await put(on, 'c.md', '---\nid: three\n---\n');
  expect(await withId(on, 'one')).toEqual(['a.md']);
}

/** The same, old enough to be saved. */
async function fillWithOld(): Promise<void> {
  await fill();
  await delay(2_100);
}

describe('the saved index', () => {
  it('lets a start find by frontmatter, links and words without reading the notes again (EMB-019)', async () => {
    await fillWithOld();
    const on = await start();
    expect(await withId(on, 'two')).toEqual(['b.md']);
    expect(textRead(on)).toBe(0);
    expect(await search(on, 'dataview.dql+txt', 'TABLE id FROM [[b]]')).toEqual(['a.md']);
    const found = await on.ask('POST', '/search/simple/?query=albatross');
    expect(await found.text()).toContain('b.md');
  });

  it('makes a start read only the notes that changed meanwhile (EMB-019)', async () => {
    await fillWithOld();
    await vault?.close();
    vault = null;
    const changed = '---\nid: four\n---\n';
    await writeFile(join(made, 'notes', 'b.md'), changed);
    await unlink(join(made, 'notes', 'c.md'));
    const on = await start();
    expect(await withId(on, 'four')).toEqual(['b.md']);
    expect([await withId(on, 'two'), await withId(on, 'three')]).toEqual([[], []]);
    expect(textRead(on)).toBe(changed.length);
    await put(on, 'a.md', '---\nid: five\n---\n');
    expect([await withId(on, 'one'), await withId(on, 'five')]).toEqual([[], ['a.md']]);
  });

  it.each([
    ['a changed byte', (text: string) => text.replace('"keys":["id"]', '"keys":["no"]'), 'damaged'],
    ['a lost end', (text: string) => text.slice(0, -80), 'damaged'],
    [
      'another version',
      (text: string) => text.replace('"portolanVaultIndex":2', '"portolanVaultIndex":1'),
      'of_another_folder_or_version',
    ],
    [
      'another folder',
      (text: string) => text.replace('"root":"', '"root":"/elsewhere'),
      'of_another_folder_or_version',
    ],
    ['no index at all', () => 'notes', 'damaged'],
    ['nothing in it', () => '', 'damaged'],
  ])('is rebuilt if it has %s (EMB-019)', async (_, damage, reason) => {
    await fill();
    await vault?.close();
    vault = null;
    const text = await readFile(savedIndex(), 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(savedIndex(), damage(text));
    const on = await start();
    expect(await withId(on, 'one')).toEqual(['a.md']);
    expect(reasons(on)).toEqual([reason]);
    const again = await start();
    expect([await withId(again, 'one'), reasons(again)]).toEqual([['a.md'], []]);
  });

  it('can be read by its owner only, and leaves no unfinished file', async () => {
    await fill();
    await start();
    expect((await stat(savedIndex())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(made, 'data'))).toEqual(['vault-index.jsonl']);
  });

  it('excludes files that changed a moment ago, and is not written if it would be too large', async () => {
    const figures = { ino: 1, mtimeMs: 5_000, ctimeMs: 5_000, birthtimeMs: 1, size: 3 };
    const note = { figures, links: ['b'], tokens: [['text x']] };
    const young = { ...note, figures: { ...figures, mtimeMs: 8_500 } };
    const index = { keys: ['id'], notes: [['a.md', note] as const, ['b.md', young] as const] };
    expect(await saveIndex(savedIndex(), '/notes', index, { now: 10_000 })).toBe(true);
    expect(await readSavedIndex(savedIndex(), '/notes')).toEqual({ keys: ['id'], notes: new Map([['a.md', note]]) });
    expect(await saveIndex(savedIndex(), '/notes', { keys: [], notes: [] }, { maxBytes: 10 })).toBe(false);
    expect(await readSavedIndex(savedIndex(), '/notes')).toMatchObject({ keys: ['id'] });
  });
});
