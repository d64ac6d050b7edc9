import type { NewNote } from '#domain/notes/new-note.ts';

/** Renders the complete text of a new note: its frontmatter as a YAML block, followed by the body. */
export type NoteText = (note: NewNote) => string;

/**
 * Edits a note's text in memory as the vault would, so that several changes are written at once. Returns null for edits
 * that must be left to the vault, such as those of a note that is slow to process.
 */
export interface NoteEdits {
  /** Sets one frontmatter key, adding it when missing; other keys are unchanged. */
  setFrontmatter(text: string, key: string, value: unknown): string | null;
  /** Appends a block of Markdown under a heading given by its full path, adding the heading when missing. */
  appendUnderHeading(text: string, heading: readonly string[], markdown: string): string | null;
  /** Appends lines of Markdown at the end. */
  append(text: string, markdown: string): string | null;
}
