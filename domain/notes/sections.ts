import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { splitNote } from '#domain/notes/note-parts.ts';

/** A heading and the content below it, sub-headings included; offsets are into the whole note. */
export type Section = Readonly<{
  /** The titles of the headings above it, then its own; empty for the whole body. */
  path: readonly string[];
  /** 1 to 6; 0 for the whole body. */
  level: number;
  /** The offset at which the heading starts. */
  from: number;
  /** The offset just after the heading's line. */
  start: number;
  /** The offset of the next heading of the same or a higher rank, or the end of the note. */
  end: number;
}>;

/** The sections that were found last: several parts of one change of a note ask for those of the same text. */
let last: Readonly<{ text: string; sections: readonly Section[] }> | null = null;

/**
 * The sections of a note in order, the whole body first. Headings are parsed as CommonMark: a line that looks like one
 * inside code is not a heading, which the engine of the real server does not always detect.
 */
export function sectionsOf(text: string): readonly Section[] {
  if (last?.text !== text) last = { text, sections: found(text) };
  return last.sections;
}

function found(text: string): readonly Section[] {
  const { bodyStart } = splitNote(text);
  const sections: (Omit<Section, 'end'> & { end: number })[] = [
    { path: [], level: 0, from: bodyStart, start: bodyStart, end: text.length },
  ];
  const above: (typeof sections)[number][] = [];
  for (const heading of scanMarkdown(text, bodyStart).headings) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) {
      const ended = above.pop();
      if (ended !== undefined) ended.end = heading.from;
    }
    const section = {
      path: [...(above.at(-1)?.path ?? []), heading.text],
      level: heading.level,
      from: heading.from,
      start: lineEnd(text, heading.to),
      end: text.length,
    };
    above.push(section);
    sections.push(section);
  }
  return sections;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
