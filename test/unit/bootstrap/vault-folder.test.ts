import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import { claimVaultFolder, markerPath, readMarker } from '#bootstrap/vault/vault-folder.ts';

/** The facts of one database, in memory. */
const newFacts = (): ServerFacts => {
  const kept = new Map<string, string>();
  return {
    find: async (name) => kept.get(name) ?? null,
    keepFirst: async (name, value) => {
      if (!kept.has(name)) kept.set(name, value);
      return kept.get(name) ?? value;
    },
    replace: async (name, value) => void kept.set(name, value),
  };
};

describe('the folder of notes and the database', () => {
  let place: string;
  let folder: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'portolan-folder-'));
    folder = join(place, 'vault');
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  it('belong together from the first start, which creates the folder', async () => {
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    await expect(claimVaultFolder(folder, facts)).resolves.toBeTypeOf('string');
  });

  it('are joined at the first start where the folder has notes already, which stay', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'Old.md'), 'old');
    await claimVaultFolder(folder, newFacts());
    expect(await readFile(join(folder, 'Old.md'), 'utf8')).toBe('old');
    expect(await readMarker(folder)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are joined again when the database is created again for existing notes', async () => {
    await claimVaultFolder(folder, newFacts());
    const marked = await readMarker(folder);
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    expect(await readMarker(folder)).toBe(marked);
    await expect(claimVaultFolder(folder, facts)).resolves.toBeTypeOf('string');
  });

  it('are joined once when two processes start at the same moment', async () => {
    const facts = newFacts();
    await Promise.all(Array.from({ length: 8 }, () => claimVaultFolder(folder, facts)));
    await expect(claimVaultFolder(folder, facts)).resolves.toBeTypeOf('string');
  });

  it('still belong together after the folder has moved', async () => {
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    const id = await readMarker(folder);
    const moved = join(place, 'elsewhere');
    await mkdir(join(moved, '.portolan'), { recursive: true });
    await writeFile(join(moved, markerPath), JSON.stringify({ id }));
    await expect(claimVaultFolder(moved, facts)).resolves.toBeTypeOf('string');
  });

  it('do not start a second vault when the folder is gone, and say what to set (EMB-014)', async () => {
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    const empty = join(place, 'empty');
    await expect(claimVaultFolder(empty, facts)).rejects.toThrow(
      /^VAULT_DIR: .*empty is not the notes folder.*Set VAULT_DIR/s,
    );
    await expect(readFile(join(empty, markerPath))).rejects.toThrow('ENOENT');
  });

  it('refuse the folder of another database, and say what to set (EMB-014)', async () => {
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    const other = join(place, 'other');
    await claimVaultFolder(other, newFacts());
    await expect(claimVaultFolder(other, facts)).rejects.toThrow(
      /names another database.*Set VAULT_DIR.*DATABASE_URL/s,
    );
  });

  it.each([
    ['what the error says to write there', async (message: string) => /\{"id":"[^"]+"\}/.exec(message)?.[0] ?? ''],
  ])('are joined by %s', async (_, marked) => {
    const facts = newFacts();
    await claimVaultFolder(folder, facts);
    const other = join(place, 'other');
    const message: unknown = await claimVaultFolder(other, facts).catch((error: unknown) => String(error));
    await mkdir(join(other, '.portolan'), { recursive: true });
    await writeFile(join(other, markerPath), await marked(String(message)));
    await expect(claimVaultFolder(other, facts)).resolves.toBeTypeOf('string');
  });

  it.each(['', '{', '[]', '{"id":""}', '{"id":7}'])('refuse a marker that is damaged: %j', async (text) => {
    await mkdir(join(folder, '.portolan'), { recursive: true });
    await writeFile(join(folder, markerPath), text);
    await expect(claimVaultFolder(folder, newFacts())).rejects.toThrow(/damaged/);
  });

  it('refuse a folder that is a file', async () => {
    await writeFile(folder, 'a file');
    await expect(claimVaultFolder(folder, newFacts())).rejects.toThrow(/^VAULT_DIR: /);
  });
});
