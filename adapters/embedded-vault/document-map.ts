import { sectionsOf } from '#adapters/embedded-vault/headings.ts';
import { parseFrontmatter } from '#adapters/embedded-vault/note-metadata.ts';
import { splitNote } from '#adapters/embedded-vault/note-text.ts';
import { blockIds } from '#adapters/embedded-vault/patch-block.ts';

/** What of a note can be patched. Headings are full paths joined by `::`; block ids are without `^`. */
export type DocumentMap = Readonly<{
  headings: readonly string[];
  blocks: readonly string[];
  frontmatterFields: readonly string[];
}>;

/** The map of a note. */
export function documentMapOf(text: string): DocumentMap {
  const headings = sectionsOf(text)
    .filter(({ level }) => level > 0)
    .map(({ path }) => path.join('::'));
  return {
    headings: [...new Set(headings)],
    blocks: blockIds(text),
    frontmatterFields: Object.keys(parseFrontmatter(splitNote(text).yaml ?? '')),
  };
}
