import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** A note as read: its path in the vault, its complete text, and its parsed frontmatter. */
export type VaultNote = Readonly<{
  path: string;
  content: string;
  frontmatter: Readonly<Record<string, unknown>>;
  /** The version by which `replace` detects concurrent changes; null when the vault provides none. */
  version: string | null;
}>;

/**
 * Reads and changes notes for the reactions. Failures are those of the vault's operations, and are returned, never
 * thrown.
 */
export interface VaultNotes {
  /** Returns the note, or null when there is none at that path. */
  read(path: string): Promise<Result<VaultNote | null, Failure>>;
  /** Creates a note; false, with nothing written, when the path is taken. */
  create(path: string, content: string): Promise<Result<boolean, Failure>>;
  /** Sets one frontmatter key, adding it when missing; other keys are unchanged. */
  setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>>;
  /**
   * Appends a block of Markdown under a heading given by its full path (['Deal', 'History']), adding the heading when
   * missing. Text that is already there is not appended again.
   */
  appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>>;
  /** Appends lines of Markdown at the end of a note. */
  append(path: string, markdown: string): Promise<Result<void, Failure>>;
  /** Replaces the complete text of a note if it still has that version; false, with nothing written, otherwise. */
  replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>>;
  /**
   * Returns the sorted paths of the notes whose frontmatter has that value for the key; a text of digits also matches a
   * number.
   */
  findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>>;
}
