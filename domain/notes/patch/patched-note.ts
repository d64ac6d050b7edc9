import { placeOfNewHeading } from '#domain/notes/heading.ts';
import type { PatchInstruction } from '#domain/notes/patch/note-patch.ts';
import { sectionsOf } from '#domain/notes/sections.ts';
import { addressIn, headingDelimiter, whichSection } from '#domain/notes/which-heading.ts';

/** The text of a note after a patch, and which part was changed: a heading by its path. */
export type PatchedNote = Readonly<{ text: string; target: string }>;

/** Names the part that a patch has changed, by the text before it. */
export function patchedNote(before: string, text: string, { target }: PatchInstruction): PatchedNote {
  if (target.kind !== 'heading') return { text, target: target.kind === 'block' ? target.id : target.key };
  const { path, delimiter, isEnd = false } = target;
  const sections = sectionsOf(before);
  const found = whichSection(before, sections, { target: path, delimiter, isFullPath: !isEnd });
  if (found.ok && found.value !== null) return { text, target: addressIn(sections, found.value) };
  const place = placeOfNewHeading(before, sections, { target: path, delimiter, isFullPath: !isEnd });
  const made = place.ok ? place.value : { above: null, path };
  const below = made.path.split(delimiter).join(headingDelimiter);
  const above = made.above === null ? [] : [addressIn(sections, made.above)];
  return { text, target: [...above, below].join(headingDelimiter) };
}
