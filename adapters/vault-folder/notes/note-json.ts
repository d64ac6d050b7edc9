import { type LinkGraph, linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import type { NoteMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import type { FileStat, NoteJson } from '#application/ports/vault-folder.ts';

/** Builds the JSON of a note. Links are resolved on access, since few queries use them. */
export function noteJsonOf(
  note: Readonly<{ path: string; text: string; stat: FileStat; version?: string }>,
  metadata: NoteMetadata,
  graph: LinkGraph,
): NoteJson {
  const { ctime, mtime, size } = note.stat;
  return {
    tags: [...new Set(metadata.tagUses)],
    frontmatter: metadata.frontmatter,
    stat: { ctime, mtime, size },
    path: note.path,
    content: note.text,
    ...(note.version === undefined ? {} : { version: note.version }),
    get links() {
      return graph.resolved(note.path, linkTargetsOf(note.text));
    },
    get backlinks() {
      return graph.sourcesOf(note.path);
    },
  };
}
