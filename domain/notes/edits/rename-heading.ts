import type { Splice } from '#domain/notes/edits/edited-note.ts';
import { type Section, sectionsOf } from '#domain/notes/sections.ts';
import { type AmbiguousHeading, addressIn, headingDelimiter, whichSection } from '#domain/notes/which-heading.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A heading with another title: what to replace, the paths of all headings before, its place there, and its address. */
export type RenamedHeading = Readonly<{
  splice: Splice;
  paths: readonly (readonly string[])[];
  index: number;
  address: string;
}>;

/** Why a heading keeps its title; `detail` is for people. */
export type RenameFailure =
  | AmbiguousHeading
  | Readonly<{ reason: 'heading_taken' | 'heading_unwritable'; detail: string }>;

const marker = /^ {0,3}#{1,6}[ \t]*/;

/** A heading, named as in `whichHeading`, and the title that it gets. */
export type HeadingTitle = Readonly<{ target: string; title: string }>;

/** Gives a heading, named as in `whichHeading`, another title of one line; null when the note has none of that name. */
export function renameHeading(
  text: string,
  { target, title }: HeadingTitle,
): Result<RenamedHeading | null, RenameFailure> {
  const sections = sectionsOf(text);
  const found = whichSection(text, sections, { target });
  if (!found.ok) return found;
  const section = found.value;
  if (section === null || section.level === 0) return ok(null);
  const path = [...section.path.slice(0, -1), title].join(headingDelimiter);
  const isTaken = sections.some((other) => other !== section && isAt(other, path));
  if (isTaken) return err({ reason: 'heading_taken', detail: `The note has a heading "${path}" already.` });
  const splice = spliceOf(text, section, title);
  const index = sections.indexOf(section);
  const after = sectionsOf(text.slice(0, splice.start) + splice.text + text.slice(splice.end));
  const isSame =
    after.length === sections.length &&
    after.every(({ level, path: names }, at) => {
      const before = sections[at];
      return level === before?.level && (at === index ? names.at(-1) === title : names.at(-1) === before.path.at(-1));
    });
  if (!isSame)
    return err({ reason: 'heading_unwritable', detail: 'Markdown would read this title as something else.' });
  return ok({
    splice,
    paths: sections.map((one) => one.path),
    index,
    address: addressIn(after, after[index] ?? section),
  });
}

const isAt = ({ path }: Section, wanted: string): boolean => path.join(headingDelimiter) === wanted;

function spliceOf(text: string, { from, start, path }: Section, title: string): Splice {
  const old = path.at(-1) ?? '';
  const mark = marker.exec(text.slice(from, from + 16 < start ? from + 16 : start))?.[0] ?? '';
  const at = text.indexOf(old, from + mark.length);
  const begin = at === -1 ? from + mark.length : at;
  const isBare = mark !== '' && !/[ \t]$/.test(mark);
  return { start: begin, end: begin + old.length, text: isBare ? ` ${title}` : title };
}
