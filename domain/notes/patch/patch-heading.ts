import { lineEndOf } from '#domain/notes/note-parts.ts';
import type { PatchFailure, PatchInstruction, PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { findSection, type Section, sectionsOf } from '#domain/notes/sections.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { containsText } from '#domain/text/index-of-text.ts';

type HeadingTarget = Extract<PatchTarget, { kind: 'heading' }>;

/**
 * Changes the content below a heading, or the whole body for an empty path. Content is inserted as it is, with a line
 * end added where it would otherwise join the next heading or the preceding line; blank lines between sections are
 * preserved.
 */
export function patchHeading(
  text: string,
  target: HeadingTarget,
  instruction: PatchInstruction,
): Result<string, PatchFailure> {
  const { content, operation } = instruction;
  const sections = sectionsOf(text);
  const section = findSection(sections, target.path, target.delimiter);
  if (section === null && !instruction.createTargetIfMissing) return err({ reason: 'invalid-target' });
  if (instruction.isJson || typeof content !== 'string') return err({ reason: 'content-type-invalid-for-target' });
  if (section === null) return ok(addSection(text, sections, target, content));
  if (operation === 'replace') return ok(replaceSection(text, section, content));
  const isThere = containsText(text.slice(section.start, section.end), content.trim());
  if (instruction.rejectIfContentPreexists && isThere) return err({ reason: 'content-already-preexists-in-target' });
  const put = operation === 'append' ? appendToSection : prependToSection;
  return ok(put(text, section, content, instruction.trimTargetWhitespace));
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

/** Adds the missing headings below the existing ones, each a level deeper, followed by the content. */
function addSection(text: string, sections: readonly Section[], target: HeadingTarget, content: string): string {
  const lineEnd = lineEndOf(text);
  const names = target.path.split(target.delimiter);
  let depth = names.length - 1;
  let parent: Section | null = null;
  while (parent === null) {
    parent = findSection(sections, names.slice(0, depth).join(target.delimiter), target.delimiter);
    depth -= 1;
  }
  const known = depth + 1;
  const top = parent.level;
  const headings = names
    .slice(known)
    .map((name, index) => `${'#'.repeat(Math.min(top + index + 1, 6))} ${name}${lineEnd}`);
  const after = text.slice(parent.end);
  const added = headings.join('') + (after === '' ? content : endLine(content, lineEnd));
  const isFirst = parent.level === 0 && text.slice(parent.start, parent.end).trim() === '';
  const before = text.slice(0, parent.end);
  return (isFirst ? before : endInBlankLine(before, lineEnd)) + added + after;
}

/** Ends text in a blank line, which Markdown needs before a heading in some places, and people expect in all. */
function endInBlankLine(text: string, lineEnd: string): string {
  const ended = endLine(text, lineEnd);
  return ended.endsWith(lineEnd + lineEnd) ? ended : ended + lineEnd;
}

/** Ends the content in a blank line if the section ended in one before the next heading. */
function withBlankLine(text: string, section: Section, content: string): string {
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
