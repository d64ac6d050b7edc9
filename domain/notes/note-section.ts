import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';
import { splitNote } from '#domain/notes/note-parts.ts';
import { sectionsOf } from '#domain/notes/sections.ts';
import { type AmbiguousHeading, addressIn, lineNumberAt, whichSection } from '#domain/notes/which-heading.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** Which part of a note: by the name of a heading or `^` and the id of a block, or by lines, from 1, both included. */
export type SectionName =
  | Readonly<{ kind: 'heading' | 'block'; target: string }>
  | Readonly<{ kind: 'lines'; from: number; to: number }>;

/** A part of a note as it is written; a heading with what is below it. `part` is a heading by its path, or a block. */
export type NoteSection = Readonly<{ part?: string; lines: string; text: string }>;

/** The name of a part: a target that begins with `^` is a block. */
export const sectionNamed = (target: string): SectionName => ({
  kind: /^\^[\w-]+$/.test(target) ? 'block' : 'heading',
  target,
});

/** Finds a part of a note; null when there is none, or none of those lines. */
export function noteSection(text: string, name: SectionName): Result<NoteSection | null, AmbiguousHeading> {
  switch (name.kind) {
    case 'lines':
      return ok(linesOf(text, name.from, name.to));
    case 'block': {
      const block = scanMarkdown(text, splitNote(text).bodyStart).blocks.get(name.target.slice(1));
      return ok(block === undefined ? null : { part: name.target, ...piece(text, block.start, block.end) });
    }
    case 'heading': {
      const sections = sectionsOf(text);
      const found = whichSection(text, sections, { target: name.target });
      if (!found.ok || found.value === null) return found.ok ? ok(null) : found;
      const { from, end } = found.value;
      return ok({ part: addressIn(sections, found.value), ...piece(text, from, end) });
    }
  }
}

function piece(text: string, start: number, end: number): Pick<NoteSection, 'lines' | 'text'> {
  const part = text.slice(start, end);
  const last = Math.max(start, start + part.trimEnd().length - 1);
  return { lines: `${lineNumberAt(text, start + 1)}-${lineNumberAt(text, last + 1)}`, text: part };
}

function linesOf(text: string, from: number, to: number): NoteSection | null {
  let start = 0;
  for (let line = 1; line < from; line += 1) {
    const next = text.indexOf('\n', start);
    if (next === -1) return null;
    start = next + 1;
  }
  if (start >= text.length || to < from) return null;
  let [end, last] = [start, from - 1];
  while (last < to && end < text.length) {
    const next = text.indexOf('\n', end);
    end = next === -1 ? text.length : next + 1;
    last += 1;
  }
  return { lines: `${from}-${last}`, text: text.slice(start, end) };
}
