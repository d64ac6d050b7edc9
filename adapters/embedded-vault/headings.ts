import { fromMarkdown } from 'mdast-util-from-markdown';
import { splitNote } from '#adapters/embedded-vault/note-text.ts';

/** A heading and what stands under it, sub-headings included; offsets into the whole note. */
export type Section = Readonly<{
  /** The texts of the headings above it, then its own; empty for the whole body. */
  path: readonly string[];
  /** 1 to 6; 0 for the whole body. */
  level: number;
  /** Just behind the heading's line. */
  start: number;
  /** At the next heading of the same or a higher rank, or at the end of the note. */
  end: number;
}>;

type Heading = Readonly<{ text: string; level: number; from: number; to: number }>;

/**
 * The sections of a note in their order, the whole body first. Positions come from a CommonMark parser: a line that
 * looks like a heading inside code is none, which the engine of the real server does not always see.
 */
export function sectionsOf(text: string): readonly Section[] {
  const { bodyStart } = splitNote(text);
  const headings = headingsOf(text, bodyStart);
  const sections: Section[] = [{ path: [], level: 0, start: bodyStart, end: text.length }];
  const above: Section[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
    const section: Section = {
      path: [...(above.at(-1)?.path ?? []), heading.text],
      level: heading.level,
      start: lineEnd(text, heading.to),
      end: next?.from ?? text.length,
    };
    above.push(section);
    sections.push(section);
  }
  return sections;
}

/** The section with that path; of several the last, as the real server has it. */
export function findSection(sections: readonly Section[], path: string, delimiter: string): Section | null {
  if (path === '') return sections[0] ?? null;
  return sections.findLast((section) => section.level > 0 && section.path.join(delimiter) === path) ?? null;
}

function headingsOf(text: string, bodyStart: number): readonly Heading[] {
  return fromMarkdown(text.slice(bodyStart)).children.flatMap((node) => {
    if (node.type !== 'heading') return [];
    const inner = [node.children.at(0)?.position?.start.offset, node.children.at(-1)?.position?.end.offset];
    const [from = 0, to = 0] = inner;
    return [
      {
        text: text.slice(bodyStart + from, bodyStart + to).trim(),
        level: node.depth,
        from: bodyStart + (node.position?.start.offset ?? 0),
        to: bodyStart + (node.position?.end.offset ?? 0),
      },
    ];
  });
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline + 1;
}
