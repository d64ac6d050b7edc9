import { patchFrontmatter } from '#adapters/vault-folder/patch/patch-frontmatter.ts';
import type { PatchFailure, PatchInstruction } from '#domain/notes/patch/note-patch.ts';
import { patchBlock } from '#domain/notes/patch/patch-block.ts';
import { patchHeading } from '#domain/notes/patch/patch-heading.ts';
import type { Result } from '#domain/shared/result.ts';

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
