import { parseFrontmatter } from '#adapters/vault-folder/index/note-metadata.ts';
import { patchFrontmatter, readFrontmatterKey } from '#adapters/vault-folder/patch/patch-frontmatter.ts';
import type { DocumentMap, NotePart } from '#application/ports/vault-folder.ts';
import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { findBlock, patchBlock } from '#domain/notes/patch/patch-block.ts';
import { patchHeading } from '#domain/notes/patch/patch-heading.ts';
import { findSection, sectionsOf } from '#domain/notes/sections.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** Applies the instruction to the note's text. Everything outside the target is preserved byte for byte. */
export function patchNote(text: string, instruction: PatchInstruction): Result<string, PatchFailure> {
  const { target } = instruction;
  switch (target.kind) {
    case 'heading':
      return patchHeading(text, target, instruction);
    case 'block':
      return patchBlock(text, target, instruction);
    case 'frontmatter':
      return patchFrontmatter(text, target, instruction);
  }
}

/** Reads the part that a target names. */
export function partOf(text: string, target: PatchTarget): Result<NotePart, PatchFailure> {
  switch (target.kind) {
    case 'frontmatter': {
      const read = readFrontmatterKey(text, target.key);
      if (!read.ok) return read;
      return ok(read.value === undefined ? null : { kind: 'value', value: read.value });
    }
    case 'block':
      return ok(asText(findBlock(text, target.id)));
    case 'heading': {
      const section = findSection(sectionsOf(text), target.path, target.delimiter);
      return ok(section === null ? null : asText(text.slice(section.start, section.end)));
    }
  }
}

const asText = (text: string | null): NotePart => (text === null ? null : { kind: 'text', text });

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
