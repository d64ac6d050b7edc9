import { patchNote } from '#adapters/vault-folder/patch/patch-note.ts';
import type { PatchInstruction } from '#domain/notes/patch/note-patch.ts';

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
