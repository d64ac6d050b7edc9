import type { NoteIndex } from '#adapters/embedded-vault/note-index.ts';
import { forEachNote } from '#adapters/embedded-vault/simple-search.ts';

/** A tag and how often it is used; a use of `a/b` counts for `a` too. */
export type TagCount = Readonly<{ name: string; count: number }>;

/** All tags of the vault, in the order in which they are met. */
export async function countTags(index: NoteIndex): Promise<readonly TagCount[]> {
  const counts = new Map<string, number>();
  await forEachNote(index, (path, text) => {
    for (const tag of index.metadataOf(path, text).tagUses) {
      for (const name of withParents(tag)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  return [...counts].map(([name, count]) => ({ name, count }));
}

function withParents(tag: string): readonly string[] {
  const parts = tag.split('/').filter((part) => part !== '');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
