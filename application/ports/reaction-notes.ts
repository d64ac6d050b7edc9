import type { Failure } from '#domain/operations/outcome.ts';
import type { Result } from '#domain/shared/result.ts';

/** Finds the notes in the folder of reactions. */
export interface ReactionNotes {
  /** Lists the paths of the Markdown files in the folder and below it, sorted; none when there is no such folder. */
  paths(): Promise<Result<readonly string[], Failure>>;
}
