import { BlockScanner } from '#domain/notes/markdown/block-scanner.ts';
import type { MarkdownScan } from '#domain/notes/markdown/markdown-scan.ts';

/**
 * Finds headings and blocks line by line, by the block structure of CommonMark (§4, §5) with tables. Takes time in
 * proportion to the text, whatever it holds: lists and quotations nested more than 32 deep count as text, and so do
 * headings and ids after the first 20,000.
 */
export function scanMarkdown(text: string, from = 0): MarkdownScan {
  const scanner = new BlockScanner(text);
  let start = from;
  while (start < text.length) {
    const { end, next } = lineAt(text, start);
    scanner.line(start, end);
    start = next;
  }
  return scanner.finish();
}

/** Returns where the line ends and where the next one starts. Line ends are LF, CRLF or CR (CommonMark §2.1). */
function lineAt(text: string, start: number): { end: number; next: number } {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return { end: at, next: at + 1 };
    if (code === 13) return { end: at, next: text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 };
  }
  return { end: text.length, next: text.length };
}
