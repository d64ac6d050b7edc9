/** A note's text after an edit: how many places were changed, the lines of the first of them, from 1, and the changes. */
export type EditedNote = Readonly<{
  text: string;
  count: number;
  lines: readonly number[];
  splices: readonly Splice[];
}>;

/** The maximum number of lines that an edit lists. */
export const maxLines = 50;

/** A part of a text, and what takes its place. */
export type Splice = Readonly<{ start: number; end: number; text: string }>;

/** Replaces parts of a text, given in order; the lines are those at which the new parts begin. */
export function spliced(text: string, splices: readonly Splice[]): EditedNote {
  const parts: string[] = [];
  const lines: number[] = [];
  let [at, line] = [0, 1];
  for (const { start, end, text: part } of splices) {
    const kept = text.slice(at, start);
    if (lines.length < maxLines) {
      line += lineEndsIn(kept);
      lines.push(line);
      line += lineEndsIn(part);
    }
    parts.push(kept, part);
    at = end;
  }
  parts.push(text.slice(at));
  return { text: parts.join(''), count: splices.length, lines: [...new Set(lines)], splices };
}

function lineEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
