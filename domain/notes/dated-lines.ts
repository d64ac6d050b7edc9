import { findHeading } from '#domain/notes/heading.ts';
import { textLines } from '#domain/notes/outline.ts';
import { sectionsOf } from '#domain/notes/sections.ts';
import { lineNumberAt } from '#domain/notes/which-heading.ts';

/** Matches the start of a dated history line: '- 2026-01-23 12:53 UTC: '. These times sort lexicographically. */
const dated = /^- (\d{4}-\d{2}-\d{2} \d{2}:\d{2}) UTC: /;

/**
 * Whether a line of the note ends with the block id `mark`. Quoted lines are ignored, since their text is untrusted.
 */
export function hasBlockId(markdown: string, mark: string): boolean {
  if (!markdown.includes(mark)) return false;
  const end = new RegExp(`(?:^|\\s)\\^${mark}\\s*$`);
  return markdown.split('\n').some((line) => line.includes(mark) && !/^\s*>/.test(line) && end.test(line));
}

/**
 * Inserts a dated line by time under the heading of that name, in the order its dated lines already have; oldest
 * first when there are fewer than two. Null when the line belongs at the end of the section, where the caller may
 * append it.
 */
export function withDatedLine(markdown: string, heading: string, entry: string): string | null {
  const at = timeOf(entry);
  const section = at === null ? null : datedLines(markdown, heading);
  const [first, last] = [section?.at(0), section?.at(-1)];
  if (at === null || section === null || first === undefined || last === undefined) return null;
  const isNewestFirst = first.at > last.at;
  const next = section.find((line) => (isNewestFirst ? line.at <= at : line.at > at));
  if (next === undefined) return null;
  const lines = markdown.split('\n');
  const lineEnd = lines[next.line]?.endsWith('\r') === true ? '\r' : '';
  return lines.toSpliced(next.line, 0, `${entry}${lineEnd}`).join('\n');
}

type DatedLine = Readonly<{ at: string; line: number }>;

/** Returns the dated lines between a heading and the next one; null when there is no such heading, or several. */
function datedLines(markdown: string, name: string): readonly DatedLine[] | null {
  const found = findHeading(markdown, name);
  if (!found.ok || found.value === null) return null;
  const { start } = found.value;
  const next = sectionsOf(markdown).find(({ level, from }) => level > 0 && from >= start);
  const from = lineNumberAt(markdown, start) - 1;
  const to = next === undefined ? Number.POSITIVE_INFINITY : lineNumberAt(markdown, next.from) - 1;
  return textLines(markdown).flatMap(({ text, line }) => {
    const at = line >= from && line < to ? timeOf(text) : null;
    return at === null ? [] : [{ at, line }];
  });
}

function timeOf(line: string): string | null {
  return dated.exec(line)?.[1] ?? null;
}
