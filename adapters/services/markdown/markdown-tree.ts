/** How a text is emphasized. */
export type MarkdownMark = 'strong' | 'strike' | 'em';

/** A part of a line. */
export type MarkdownInline = Readonly<
  | { kind: 'text'; text: string; marks: readonly MarkdownMark[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; content: readonly MarkdownInline[] }
  /** An address that stands for itself. */
  | { kind: 'address'; url: string }
  | { kind: 'image'; src: string; alt: string }
  | { kind: 'break' }
>;

/** What a line consists of. */
export type MarkdownLine = readonly MarkdownInline[];

/** An item of a list; `box` is what a task has in its box, null for no task. */
export type MarkdownItem = Readonly<{ box: string | null; blocks: readonly MarkdownBlock[] }>;

/** A block of Markdown. The first row of a table is its header. */
export type MarkdownBlock = Readonly<
  | { kind: 'paragraph'; line: MarkdownLine }
  | { kind: 'heading'; level: number; line: MarkdownLine }
  /** `start` is the number of the first item; null for bullets. */
  | { kind: 'list'; start: number | null; items: readonly MarkdownItem[] }
  | { kind: 'code'; language: string | null; code: string }
  /** `callout` is the word of a quote that begins with one, such as NOTE. */
  | { kind: 'quote'; callout: string | null; blocks: readonly MarkdownBlock[] }
  | { kind: 'table'; rows: readonly (readonly MarkdownLine[])[] }
  | { kind: 'rule' }
>;
