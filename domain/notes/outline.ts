import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';

/** A heading of a note: its level, 1 to 6, its text as written, and the index of its last line. */
export type Heading = Readonly<{ level: number; text: string; line: number }>;

/** A line of a note outside frontmatter and fenced code, with its index. */
type TextLine = Readonly<{ text: string; line: number }>;

/** Returns the headings of a note in order, without those in frontmatter, code, lists and quotations. */
export function headingsOf(markdown: string): readonly Heading[] {
  const lines = markdown.split('\n');
  const body = lines.slice(0, firstBodyLine(lines)).reduce((start, line) => start + line.length + 1, 0);
  let line = 0;
  let lineEnd = markdown.indexOf('\n');
  return scanMarkdown(markdown, body).headings.map(({ level, text, to }) => {
    for (; lineEnd !== -1 && lineEnd < to; lineEnd = markdown.indexOf('\n', lineEnd + 1)) line += 1;
    return { level, text, line };
  });
}

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
