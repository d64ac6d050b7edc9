import type { NoteMetadata } from '#adapters/embedded-vault/note-metadata.ts';
import type { FileStat } from '#adapters/embedded-vault/vault-folder.ts';

/** A note as JSON (contract, Accept media types: frontmatter, content, metadata). Tags are without # and each once. */
export type NoteJson = Readonly<{
  tags: readonly string[];
  frontmatter: Readonly<Record<string, unknown>>;
  stat: FileStat;
  path: string;
  content: string;
}>;

/** The JSON of a note. */
export function noteJsonOf(
  note: Readonly<{ path: string; text: string; stat: FileStat }>,
  metadata: NoteMetadata,
): NoteJson {
  const { ctime, mtime, size } = note.stat;
  return {
    tags: [...new Set(metadata.tagUses)],
    frontmatter: metadata.frontmatter,
    stat: { ctime, mtime, size },
    path: note.path,
    content: note.text,
  };
}
