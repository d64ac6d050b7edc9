import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Lists and reads the notes in the folder of reactions. */
export interface ReactionNotes {
  /**
   * Lists the paths of the Markdown files in the folder and its subfolders, sorted; empty when the folder does not
   * exist.
   */
  paths(): Promise<Result<readonly string[], Failure>>;
  /**
   * Names the states that the notes at these paths are in, by path, without reading them: a name stays until its note is written. Left
   * out are those that the vault does not name, such as one written a moment ago.
   */
  stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns a note's text, which the vault does not parse for it; null when there is none at that path. */
  text(path: string): Promise<Result<string | null, Failure>>;
}
