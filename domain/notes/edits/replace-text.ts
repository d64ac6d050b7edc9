import { type EditedNote, maxLines, type Splice, spliced } from '#domain/notes/edits/edited-note.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { indexOfText } from '#domain/text/index-of-text.ts';

/** A text to replace in a note, and how often it has to be there; 0 for however often. */
export type Replacement = Readonly<{ find: string; replace: string; expected: number }>;

/** Why nothing was replaced; `detail` is for people. */
export type ReplaceFailure = Readonly<{
  reason: 'text_not_there' | 'text_count' | 'frontmatter_broken';
  detail: string;
}>;

/**
 * Replaces a text in a note wherever it occurs, if it occurs as often as expected. Line ends of the text are those of the
 * note. Frontmatter stays what it was: it can neither be lost nor become something that `isFrontmatter` rejects.
 */
export function replaceText(
  text: string,
  { find, replace, expected }: Replacement,
  isFrontmatter: (yaml: string) => boolean,
): Result<EditedNote, ReplaceFailure> {
  const isCrlf = text.includes('\r\n') && !find.includes('\r');
  const asWritten = (given: string) => (isCrlf ? given.replaceAll(/\r?\n/g, '\r\n') : given);
  const splices = placesOf(text, asWritten(find), asWritten(replace));
  const wanted = expected === 0 ? splices.length : expected;
  if (splices.length === 0) {
    return err({ reason: 'text_not_there', detail: 'The note does not have this text, as written, anywhere.' });
  }
  if (splices.length !== wanted) return err({ reason: 'text_count', detail: countText(text, splices, wanted) });
  const edited = spliced(text, splices);
  const [before, after] = [splitNote(text).yaml, splitNote(edited.text).yaml];
  if (before === after || (after !== null && isFrontmatter(after))) return ok(edited);
  return err({
    reason: 'frontmatter_broken',
    detail: 'The frontmatter would not be readable any more, or is too long to be checked.',
  });
}

function placesOf(text: string, find: string, replace: string): readonly Splice[] {
  const places: Splice[] = [];
  for (let at = indexOfText(text, find); at !== -1; at = indexOfText(text, find, at + find.length)) {
    places.push({ start: at, end: at + find.length, text: replace });
  }
  return places;
}

function countText(text: string, places: readonly Splice[], wanted: number): string {
  const lines = spliced(
    text,
    places.slice(0, maxLines).map((place) => ({ ...place, text: text.slice(place.start, place.end) })),
  ).lines;
  const more = places.length > maxLines ? ', …' : '';
  return `The text is there ${places.length} times (lines ${lines.join(', ')}${more}), and ${wanted} expected. Give more of the text around it, or the right count.`;
}
