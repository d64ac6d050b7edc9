import { BlockScanner } from '#domain/notes/markdown/block-scanner.ts';
import type { MarkdownScan } from '#domain/notes/markdown/markdown-scan.ts';

/**
 * Finds headings and blocks line by line, following the block structure of CommonMark (§4, §5). Runs in linear time for
 * any input: lists and quotations nested more than 32 deep are treated as text, and headings and ids after the first
 * 20,000 are ignored.
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

/** Returns the end of the line and the start of the next. Line ends are LF, CRLF or CR (CommonMark §2.1). */
function lineAt(text: string, start: number): { end: number; next: number } {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return { end: at, next: at + 1 };
    if (code === 13) return { end: at, next: text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 };
  }
  return { end: text.length, next: text.length };
}
