import { patchBlock } from '#adapters/embedded-vault/patch/patch-block.ts';
import type { PatchFailure } from '#adapters/embedded-vault/patch/patch-failure.ts';
import { patchFrontmatter } from '#adapters/embedded-vault/patch/patch-frontmatter.ts';
import { patchHeading } from '#adapters/embedded-vault/patch/patch-heading.ts';
import type { PatchInstruction } from '#adapters/embedded-vault/patch/patch-instruction.ts';
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
