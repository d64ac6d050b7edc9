/**
 * Edits a note's text as the vault would, so that several changes are written at once. Returns null for edits that are
 * left to the vault, such as those of a note that takes long to process.
 */
export interface NoteEdits {
  /** Sets one key of the frontmatter, adding it when missing; the other keys stay. */
  setFrontmatter(text: string, key: string, value: unknown): string | null;
  /** Appends a block of Markdown under a heading given by its full path, adding the heading when missing. */
  appendUnderHeading(text: string, heading: readonly string[], markdown: string): string | null;
  /** Appends lines of Markdown at the end. */
  append(text: string, markdown: string): string | null;
}
