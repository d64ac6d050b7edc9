import type { PatchInstruction } from '#adapters/embedded-vault/patch/patch-instruction.ts';
import { patchNote } from '#adapters/embedded-vault/patch/patch-note.ts';

/** What comes of setting a key of a note's frontmatter, as PATCH does it; `more` departs from replacing, or making, it. */
export function patchedFrontmatter(text: string, key: string, content: unknown, more: Partial<PatchInstruction> = {}) {
  return patchNote(text, {
    operation: 'replace',
    target: { kind: 'frontmatter', key },
    content,
    isJson: true,
    createTargetIfMissing: true,
    rejectIfContentPreexists: false,
    trimTargetWhitespace: false,
    ...more,
  });
}
