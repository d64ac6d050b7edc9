import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** A note as read: its path in the vault, its whole text, and its parsed frontmatter. */
export type VaultNote = Readonly<{
  path: string;
  content: string;
  frontmatter: Readonly<Record<string, unknown>>;
  /** By which `replace` knows whether the note has changed since; null where the vault tells none. */
  version: string | null;
}>;

/** A change of one note by the reactions. Failures are those of the vault's operations; nothing is thrown for them. */
export interface VaultNotes {
  /** The note, or null when there is none at that path. */
  read(path: string): Promise<Result<VaultNote | null, Failure>>;
  /** Writes a note that is not there yet; false, and nothing written, when there is one. */
  create(path: string, content: string): Promise<Result<boolean, Failure>>;
  /** Sets one key of the frontmatter, adding it when missing; the other keys stay. */
  setFrontmatter(path: string, key: string, value: unknown): Promise<Result<void, Failure>>;
  /**
   * Appends a block of Markdown under a heading given by its full path (['Deal', 'History']), making the heading when it
   * is missing. The same text twice leaves it once.
   */
  appendUnderHeading(path: string, heading: readonly string[], markdown: string): Promise<Result<void, Failure>>;
  /** Appends lines of Markdown at the end of a note. */
  append(path: string, markdown: string): Promise<Result<void, Failure>>;
  /** Writes the whole text of a note that is at that version still; false, and nothing written, when it is not. */
  replace(path: string, content: string, version: string): Promise<Result<boolean, Failure>>;
  /** Paths of the notes whose frontmatter has that value under that key, sorted; a text of digits is found as a number too. */
  findByFrontmatter(key: string, value: string | number): Promise<Result<readonly string[], Failure>>;
}
