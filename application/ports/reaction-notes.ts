import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Lists and reads the notes in the folder of reactions. */
export interface ReactionNotes {
  /**
   * Lists the paths of the Markdown files in the folder and its subfolders, sorted; empty when the folder does not
   * exist.
   */
  paths(): Promise<Result<readonly string[], Failure>>;
  /** Returns a note's text, which the vault does not parse for it; null when there is none at that path. */
  text(path: string): Promise<Result<string | null, Failure>>;
}
