/** A heading of a note: its level, 1 to 6, its text as it stands there, and the index of its line. */
export type Heading = Readonly<{ level: number; text: string; line: number }>;

/** A line of a note that is neither frontmatter nor fenced code, with its index. */
type TextLine = Readonly<{ text: string; line: number }>;

/** The headings of a note in their order. Those in frontmatter, fenced code and quotations are none. */
export function headingsOf(markdown: string): readonly Heading[] {
  return textLines(markdown).flatMap(({ text: lineText, line }) => {
    const [, hashes, text] = /^(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(lineText) ?? [];
    return hashes === undefined || text === undefined ? [] : [{ level: hashes.length, text, line }];
  });
}

/** The lines of a note save those of its frontmatter and of fenced code. */
export function textLines(markdown: string): readonly TextLine[] {
  const lines = markdown.split('\n').map((line) => line.replace(/\r$/, ''));
  const found: TextLine[] = [];
  let fence: string | null = null;
  for (let line = firstBodyLine(lines); line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    else if (fence === null) found.push({ text, line });
  }
  return found;
}

function firstBodyLine(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0;
  return lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') + 1;
}
