/** How a text is emphasized. */
export type Mark = 'strong' | 'strike' | 'em';

/** A part of a line. */
export type Inline = Readonly<
  | { kind: 'text'; text: string; marks: readonly Mark[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; content: readonly Inline[] }
  /** An address that stands for itself. */
  | { kind: 'address'; url: string }
  | { kind: 'image'; src: string; alt: string }
  | { kind: 'break' }
>;

/** What a line consists of. */
export type Line = readonly Inline[];

/** An item of a list; `box` is what a task has in its box, null for no task. */
export type Item = Readonly<{ box: string | null; blocks: readonly Block[] }>;

/** A block of Markdown. The first row of a table is its header. */
export type Block = Readonly<
  | { kind: 'paragraph'; line: Line }
  | { kind: 'heading'; level: number; line: Line }
  /** `start` is the number of the first item; null for bullets. */
  | { kind: 'list'; start: number | null; items: readonly Item[] }
  | { kind: 'code'; language: string | null; code: string }
  /** `callout` is the word of a quote that begins with one, such as NOTE. */
  | { kind: 'quote'; callout: string | null; blocks: readonly Block[] }
  | { kind: 'table'; rows: readonly (readonly Line[])[] }
  | { kind: 'rule' }
>;
