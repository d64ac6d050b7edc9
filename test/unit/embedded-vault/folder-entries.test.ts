import { expect, it } from 'vitest';
import { FolderEntries } from '#adapters/vault-folder/index/folder-entries.ts';

const paths = ['a.md', 'Deals/a.md', 'Deals/b.md', 'Deals/Old/a.md', 'Deals/Old/Older/a.md', 'Notes/x/y/z.md'];

function filled(): FolderEntries {
  const entries = new FolderEntries();
  for (const path of paths) entries.add(path);
  return entries;
}

const namesIn = (entries: FolderEntries, folder: string) => [...entries.namesIn(folder)].toSorted();

it('a folder has the names that are in it, and those of the folders in which there is something (EMB-039)', () => {
  const entries = filled();
  entries.add('Deals/a.md');
  expect(namesIn(entries, '')).toEqual(['Deals/', 'Notes/', 'a.md']);
  expect(namesIn(entries, 'Deals')).toEqual(['Old/', 'a.md', 'b.md']);
  expect(namesIn(entries, 'Deals/Old')).toEqual(['Older/', 'a.md']);
  expect(namesIn(entries, 'Notes')).toEqual(['x/']);
  expect(namesIn(entries, 'Deal')).toEqual([]);
  expect([...entries.filesBelow('Deals')].toSorted()).toEqual(
    paths.filter((path) => path.startsWith('Deals/')).toSorted(),
  );
  expect([...entries.filesBelow('')].length).toBe(paths.length);
});

it('a folder is gone with the last file below it, and there again with the next one (EMB-039)', () => {
  const entries = filled();
  entries.remove('Notes/x/y/z.md');
  expect(entries.has('Notes')).toBe(false);
  expect(namesIn(entries, '')).toEqual(['Deals/', 'a.md']);
  entries.remove('Deals/Old/a.md');
  expect(namesIn(entries, 'Deals')).toEqual(['Old/', 'a.md', 'b.md']);
  entries.remove('Deals/Old/Older/a.md');
  expect(namesIn(entries, 'Deals')).toEqual(['a.md', 'b.md']);
  entries.remove('nothing/like/it.md');
  entries.add('Notes/x/new.md');
  expect(namesIn(entries, 'Notes/x')).toEqual(['new.md']);
});
