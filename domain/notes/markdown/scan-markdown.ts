import { BlockScanner } from '#domain/notes/markdown/block-scanner.ts';

/** A heading that stands in no list and no quotation; offsets into the text that was scanned. */
export type ScannedHeading = Readonly<{
  /** As written, without marks and the white space around it. */
  text: string;
  /** 1 to 6. */
  level: number;
  /** Start of its first line. */
  from: number;
  /** End of its last line, the underline included, without the line end. */
  to: number;
}>;

/** From where to where a block's own text goes, without its id. */
export type Block = Readonly<{ start: number; end: number }>;

/** What can be found in a text of Markdown. Of two blocks with one id the last counts. */
export type MarkdownScan = Readonly<{ headings: readonly ScannedHeading[]; blocks: ReadonlyMap<string, Block> }>;

/**
 * Finds headings and blocks line by line, by the block structure of CommonMark (§4, §5) with tables. Takes time in
 * proportion to the text, whatever it holds: lists and quotations are followed 32 deep, what is deeper counts as text, and so do
 * headings and ids behind the first 20,000.
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

/** Line ends are LF, CRLF or CR (CommonMark §2.1). */
function lineAt(text: string, start: number): { end: number; next: number } {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return { end: at, next: at + 1 };
    if (code === 13) return { end: at, next: text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1 };
  }
  return { end: text.length, next: text.length };
}
