import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** A note as read: its path in the vault, its whole text, and its parsed frontmatter. */
export type VaultNote = Readonly<{
  path: string;
  content: string;
  frontmatter: Readonly<Record<string, unknown>>;
  /** The version by which `replace` detects that the note has changed; null where the vault gives none. */
  version: string | null;
}>;

/**
 * Reads and changes notes for the reactions. Failures are those of the vault's operations, and are returned, never
 * thrown.
 */
export interface VaultNotes {
  /** Returns the note, or null when there is none at that path. */
  read(path: string): Promise<Result<VaultNote | null, Failure>>;
  /** Creates a note; false, and nothing written, when the path is taken. */
  create(path: string, content: string): Promise<Result<boolean, Failure>>;
  /** Sets one key of the frontmatter, adding it when missing; the other keys stay. */
  setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>>;
  /**
   * Appends a block of Markdown under a heading given by its full path (['Deal', 'History']), adding the heading when
   * it is missing. The same text twice is written once.
   */
  appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>>;
  /** Appends lines of Markdown at the end of a note. */
  append(path: string, markdown: string): Promise<Result<void, Failure>>;
  /** Writes the whole text of a note that still has that version; false, and nothing written, when it has another. */
  replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>>;
  /**
   * Finds the paths of the notes whose frontmatter has that value under that key, sorted; a text of digits also matches
   * a number.
   */
  findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>>;
}
