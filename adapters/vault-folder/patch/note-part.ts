import { readFrontmatterKey } from '#adapters/vault-folder/patch/patch-frontmatter.ts';
import type { NotePart } from '#application/ports/vault-folder.ts';
import type { PatchFailure, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { findBlock } from '#domain/notes/patch/patch-block.ts';
import { findSection, sectionsOf } from '#domain/notes/sections.ts';
import { ok, type Result } from '#domain/shared/result.ts';

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
