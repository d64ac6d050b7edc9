import { parseFrontmatter } from '#adapters/vault-folder/index/note-metadata.ts';
import type { DocumentMap } from '#application/ports/vault-folder.ts';
import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { sectionsOf } from '#domain/notes/sections.ts';

/**
 * The maximum total length of a map's paths, in characters: a long heading is repeated in the path of each heading
 * below it.
 */
const maxPaths = 1024 * 1024;

/** Builds the document map of a note; null when it exceeds the size limit. */
export function documentMapOf(text: string): DocumentMap | null {
  const headings = new Set<string>();
  let size = 0;
  for (const { level, path } of sectionsOf(text)) {
    size += path.reduce((sum, name) => sum + name.length + 2, 0);
    if (size > maxPaths) return null;
    if (level > 0) headings.add(path.join('::'));
  }
  const { yaml, bodyStart } = splitNote(text);
  return {
    headings: [...headings],
    blocks: [...scanMarkdown(text, bodyStart).blocks.keys()],
    frontmatterFields: Object.keys(parseFrontmatter(yaml ?? '')),
  };
}
