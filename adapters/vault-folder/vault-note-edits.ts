import { patchNote } from '#adapters/vault-folder/patch/patch-note.ts';
import { isSmallText } from '#adapters/vault-folder/text/text-work.ts';
import type { NoteEdits } from '#application/ports/note-edits.ts';
import type { PatchInstruction } from '#domain/notes/patch/note-patch.ts';

/**
 * The edits that PATCH and POST of the embedded vault make, for notes small enough to edit within a few milliseconds.
 */
export const vaultNoteEdits: NoteEdits = {
  setFrontmatter: (text, key, value) =>
    patched(text, {
      ...usual,
      operation: 'replace',
      target: { kind: 'frontmatter', key },
      content: value,
      isJson: true,
    }),
  appendUnderHeading: (text, heading, markdown) =>
    patched(text, {
      ...usual,
      operation: 'append',
      target: { kind: 'heading', path: heading.join('::'), delimiter: '::' },
      // End the note in a complete line.
      content: markdown.endsWith('\n') ? markdown : `${markdown}\n`,
      isJson: false,
    }),
  append: (text, markdown) => text + markdown,
};

const usual = { createTargetIfMissing: true, rejectIfContentPreexists: true, trimTargetWhitespace: false } as const;

/**
 * Applies a patch; null when the note is too large to edit at once, or the patch fails. Content that is already present
 * leaves the note unchanged, as in `appendUnderHeading`.
 */
function patched(text: string, instruction: PatchInstruction): string | null {
  // Bytes that are not UTF-8 were lost when the note was decoded.
  if (!isSmallText(text) || text.includes('\uFFFD')) return null;
  const result = patchNote(text, instruction);
  if (result.ok) return result.value;
  return result.failure.reason === 'content-already-preexists-in-target' ? text : null;
}
