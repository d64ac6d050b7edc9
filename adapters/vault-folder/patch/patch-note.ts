import { parseFrontmatter } from '#adapters/vault-folder/index/note-metadata.ts';
import { patchFrontmatter, readFrontmatterKey } from '#adapters/vault-folder/patch/patch-frontmatter.ts';
import type { DocumentMap, NotePart } from '#application/ports/vault-folder.ts';
import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { findBlock, patchBlock } from '#domain/notes/patch/patch-block.ts';
import { patchHeading } from '#domain/notes/patch/patch-heading.ts';
import { sectionsOf } from '#domain/notes/sections.ts';
import { addressesOf, areTooLong, whichHeading } from '#domain/notes/which-heading.ts';
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
      const section = whichHeading(text, { target: target.path, delimiter: target.delimiter, isFullPath: true });
      if (!section.ok) return section;
      return ok(section.value === null ? null : asText(text.slice(section.value.start, section.value.end)));
    }
  }
}

const asText = (text: string | null): NotePart => (text === null ? null : { kind: 'text', text });

/** Builds the document map of a note; null when its headings are too long to be listed. */
export function documentMapOf(text: string): DocumentMap | null {
  const headings = sectionsOf(text).filter(({ level }) => level > 0);
  if (areTooLong(headings)) return null;
  const { yaml, bodyStart } = splitNote(text);
  return {
    headings: addressesOf(headings),
    blocks: [...scanMarkdown(text, bodyStart).blocks.keys()],
    frontmatterFields: Object.keys(parseFrontmatter(yaml ?? '')),
  };
}
