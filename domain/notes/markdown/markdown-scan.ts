/** A heading outside lists and quotations; offsets are into the scanned text. */
export type ScannedHeading = Readonly<{
  /** The text as written, without markers and surrounding white space. */
  text: string;
  /** The level, 1 to 6. */
  level: number;
  /** The start of its first line. */
  from: number;
  /** The end of its last line, the underline included, without the line end. */
  to: number;
}>;

/** The range of a block's content, excluding its id. */
export type Block = Readonly<{ start: number; end: number }>;

/** The headings and blocks of a Markdown text. When two blocks have the same id, the last one wins. */
export type MarkdownScan = Readonly<{ headings: readonly ScannedHeading[]; blocks: ReadonlyMap<string, Block> }>;
