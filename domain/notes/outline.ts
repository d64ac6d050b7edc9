/** A line of a note outside frontmatter and fenced code, with its index. */
type TextLine = Readonly<{ text: string; line: number }>;

/** Returns the lines of a note outside its frontmatter and fenced code. */
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
