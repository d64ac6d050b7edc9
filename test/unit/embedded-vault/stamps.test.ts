import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { VaultFolder } from '#adapters/vault-folder/notes/vault-folder.ts';

let root: string;
let isAway: boolean;
let folder: VaultFolder;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portolan-stamps-'));
  isAway = false;
  folder = new VaultFolder(root, async () => undefined, { isAway: () => isAway });
  await writeFile(join(root, 'a.md'), 'first');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

const stampOf = (path: string) => folder.stamps([path]).get(path) ?? null;

/** Has the files be as old as that. */
function after(ms: number): void {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + ms);
}

it('a file has the same stamp until it is written, and another one then (WRITE-040)', async () => {
  after(60_000);
  const first = stampOf('a.md');
  expect(first).not.toBeNull();
  expect(stampOf('a.md')).toBe(first);
  await writeFile(join(root, 'a.md'), 'later');
  const second = stampOf('a.md');
  expect([second === null, second === first]).toEqual([false, false]);
  // A file of the same size and times that takes its place is another one.
  await writeFile(join(root, 'b.md'), 'other');
  await rename(join(root, 'b.md'), join(root, 'a.md'));
  expect(stampOf('a.md')).not.toBe(second);
});

it('a file that was written a moment ago has none, since the next write may have the same time (WRITE-040)', () => {
  expect(stampOf('a.md')).toBeNull();
  after(2_500);
  expect(stampOf('a.md')).not.toBeNull();
});

it('a file that is not there has none, nor has one of a folder that is away (WRITE-040)', () => {
  after(60_000);
  expect(stampOf('none.md')).toBeNull();
  isAway = true;
  expect(stampOf('a.md')).toBeNull();
});

it('a folder that may be away is looked at once for all files (WRITE-040)', async () => {
  after(60_000);
  let looks = 0;
  const looked = new VaultFolder(root, async () => undefined, {
    isAway: () => {
      looks += 1;
      return false;
    },
  });
  const paths = Array.from({ length: 20 }, (_, index) => `${index}.md`);
  for (const path of paths) await writeFile(join(root, path), path);
  vi.restoreAllMocks();
  after(60_000);
  expect([...looked.stamps(paths).keys()]).toEqual(paths);
  expect(looks).toBe(1);
});
