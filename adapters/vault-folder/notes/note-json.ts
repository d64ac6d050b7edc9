import { type LinkGraph, linkTargetsOf } from '#adapters/vault-folder/index/link-graph.ts';
import type { NoteMetadata } from '#adapters/vault-folder/index/note-metadata.ts';
import type { FileStat } from '#adapters/vault-folder/notes/vault-folder.ts';

/**
 * A note as JSON: frontmatter, content, metadata (VAULT-009). Tags are unique and without `#`; `links` are the files it
 * links to, `backlinks` the files that link to it.
 */
export type NoteJson = Readonly<{
  tags: readonly string[];
  frontmatter: Readonly<Record<string, unknown>>;
  stat: FileStat;
  path: string;
  content: string;
  links: readonly string[];
  backlinks: readonly string[];
  /** The value for `If-Match`; only where one note was requested. */
  version?: string;
}>;

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
