import { placeOfNewHeading } from '#domain/notes/heading.ts';
import { lineEndOf } from '#domain/notes/note-parts.ts';
import { continuesBlock } from '#domain/notes/patch/continued-block.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { type Section, sectionsOf } from '#domain/notes/sections.ts';
import { whichSection } from '#domain/notes/which-heading.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { containsText } from '#domain/text/index-of-text.ts';

type HeadingTarget = Extract<PatchTarget, { kind: 'heading' }>;

/**
 * Changes the content below a heading, or the whole body for an empty path. Content is inserted as it is, with a line
 * end added where it would otherwise join the next heading or the preceding line; blank lines between sections are
 * preserved. For a target with `isEnd`, rows and items that are appended continue the table or list before them.
 */
export function patchHeading(
  text: string,
  target: HeadingTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const { content, operation, createTargetIfMissing: isMade } = instruction;
  const { path, delimiter, isEnd = false } = target;
  const sections = sectionsOf(text);
  // A full path that may be made has no place: all of it is the text of headings.
  const name = { target: path, delimiter, isFullPath: !isEnd, hasPlace: isEnd || !isMade };
  const found = whichSection(text, sections, name);
  if (!found.ok) return found;
  const section = found.value;
  if (section === null && !isMade) return err({ reason: 'invalid-target' });
  if (instruction.isJson || typeof content !== 'string') return err({ reason: 'content-type-invalid-for-target' });
  if (section === null) {
    const place = placeOfNewHeading(text, sections, name);
    if (!place.ok) return place;
    const { above, path: below } = place.value;
    return ok(addSection(text, sections, { above, names: below.split(delimiter) }, content));
  }
  if (operation === 'replace') return ok(replaceSection(text, section, content));
  const isThere = containsText(text.slice(section.start, section.end), content.trim());
  if (instruction.rejectIfContentPreexists && isThere) return err({ reason: 'content-already-preexists-in-target' });
  if (operation === 'append' && isEnd && continuesBlock(text.slice(section.start, section.end), content)) {
    return ok(continueSection(text, section, content));
  }
  const put = operation === 'append' ? appendToSection : prependToSection;
  return ok(put(text, section, content, instruction.trimTargetWhitespace));
}

/** Puts content directly after the last line of a section; the blank lines that end the section stay its end. */
function continueSection(text: string, section: Section, content: string): string {
  const before = text.slice(0, section.end).trimEnd() + lineEndOf(text);
  return before + withBlankLine(text, section, content) + text.slice(section.end);
}

function replaceSection(text: string, section: Section, content: string): string {
  const before = withLineEnd(text.slice(0, section.start), lineEndOf(text), content);
  return before + withBlankLine(text, section, content) + text.slice(section.end);
}

function appendToSection(text: string, section: Section, content: string, isTrimmed: boolean): string {
  const lineEnd = lineEndOf(text);
  const after = text.slice(section.end);
  if (isTrimmed)
    return text.slice(0, section.end).trimEnd() + (after === '' ? content : endLine(content, lineEnd)) + after;
  const before = after === '' ? trimBlankLines(text, lineEnd) : text.slice(0, section.end);
  return withLineEnd(before, lineEnd, content) + withBlankLine(text, section, content) + after;
}

function prependToSection(text: string, section: Section, content: string, isTrimmed: boolean): string {
  const lineEnd = lineEndOf(text);
  const rest = text.slice(section.start);
  const after = isTrimmed ? rest.trimStart() : rest;
  const isGlued = after !== '' && !/^\r?\n/.test(after);
  return (
    withLineEnd(text.slice(0, section.start), lineEnd, content) +
    (isGlued ? endLine(content, lineEnd) : content) +
    after
  );
}

/** Adds the missing headings below the one above them, each a level deeper, followed by the content. */
function addSection(text: string, sections: readonly Section[], { above, names }: NewSection, content: string): string {
  const lineEnd = lineEndOf(text);
  const level = above === null ? topLevel(sections) : above.level + 1;
  const headings = names.map((name, index) => `${'#'.repeat(Math.min(level + index, 6))} ${name}${lineEnd}`);
  const end = above?.end ?? text.length;
  const [before, after] = [text.slice(0, end), text.slice(end)];
  const isFirst = above === null && text.slice(sections[0]?.start).trim() === '';
  const added = headings.join(lineEnd) + withBlankLine(text, { end }, content);
  return (isFirst ? before : endInBlankLine(before, lineEnd)) + added + after;
}

type NewSection = Readonly<{ above: Section | null; names: readonly string[] }>;

/** The highest rank of the note's headings: 1 when it has none. */
function topLevel(sections: readonly Section[]): number {
  const levels = sections.map(({ level }) => level).filter((level) => level > 0);
  return levels.length === 0 ? 1 : Math.min(...levels);
}

/** Ends text in a blank line, which Markdown needs before a heading in some places, and people expect in all. */
function endInBlankLine(text: string, lineEnd: string): string {
  const ended = endLine(text, lineEnd);
  return ended.endsWith(lineEnd + lineEnd) ? ended : ended + lineEnd;
}

/** Ends the content in a blank line if the section ended in one before the next heading. */
function withBlankLine(text: string, section: Pick<Section, 'end'>, content: string): string {
  const lineEnd = lineEndOf(text);
  const blank = lineEnd + lineEnd;
  if (section.end === text.length) return content;
  if (!text.slice(0, section.end).endsWith(blank)) return endLine(content, lineEnd);
  return content.endsWith(blank) ? content : endLine(content, lineEnd) + lineEnd;
}

function trimBlankLines(text: string, lineEnd: string): string {
  let end = text.length;
  while (text.endsWith(lineEnd, end) && text.endsWith(lineEnd, end - lineEnd.length)) end -= lineEnd.length;
  return text.slice(0, end);
}

function endLine(content: string, lineEnd: string): string {
  return content === '' || content.endsWith('\n') ? content : content + lineEnd;
}

function withLineEnd(before: string, lineEnd: string, next: string): string {
  return before === '' || before.endsWith('\n') || /^\r?\n/.test(next) || next === '' ? before : before + lineEnd;
}
