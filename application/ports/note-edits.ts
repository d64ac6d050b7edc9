/**
 * Changes of a note's text in the way the vault makes them, so that several are written at once. Null for what is left to the vault,
 * such as a note that takes long to work on.
 */
export interface NoteEdits {
  /** The text with one key of its frontmatter set, made when missing; the other keys stay. */
  setFrontmatter(text: string, key: string, value: unknown): string | null;
  /** The text with a block of Markdown under a heading given by its full path, which is made when missing. */
  appendUnderHeading(text: string, heading: readonly string[], markdown: string): string | null;
  /** The text with lines of Markdown at its end. */
  append(text: string, markdown: string): string | null;
}
