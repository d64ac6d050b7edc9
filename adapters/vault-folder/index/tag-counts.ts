import type { NoteIndex } from '#adapters/vault-folder/index/note-index.ts';
import { forEachNote } from '#adapters/vault-folder/search/for-each-note.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { TagCount } from '#application/ports/vault-folder.ts';

/** Counts all tags of the vault, in order of first occurrence. */
export async function countTags(index: NoteIndex, work: TextWork): Promise<readonly TagCount[]> {
  const counts = new Map<string, number>();
  await forEachNote(index, async (path, text) => {
    const { tagUses } = await index.metadataOf(path, text, work);
    for (const tag of tagUses) {
      for (const name of withParents(tag)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  });
  return [...counts].map(([name, count]) => ({ name, count }));
}

function withParents(tag: string): readonly string[] {
  const parts = tag.split('/').filter((part) => part !== '');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
