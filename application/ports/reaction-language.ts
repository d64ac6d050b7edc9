import type { FrontmatterValue } from '#domain/notes/frontmatter.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import type { Result } from '#domain/shared/result.ts';

/** A reaction with everything filled in for one event. `path` is not checked yet. */
export type FilledReaction = Readonly<{
  path: string | null;
  heading: string | null;
  once: string | null;
  text: string;
  frontmatter: Readonly<Record<string, FrontmatterValue>>;
  /** The inputs of its calls, in their order. */
  inputs: readonly Readonly<Record<string, unknown>>[];
}>;

/** Evaluates the expressions and fills the templates of reactions; neither reaches anything but the data. */
export interface ReactionLanguage {
  /** Reads a note's text; null when it is no reaction. */
  read(path: string, text: string): Promise<ReadReaction | null>;
  /** Whether the reaction's condition is met, where that takes no time to tell; null when it has to be filled for that. */
  isMet(reaction: ReactionNote, data: EventData): Result<boolean, string> | null;
  /**
   * Evaluates and fills the reaction, within bounds of time, memory and size; null when its condition is not met. A
   * failure is a sentence for its author.
   */
  fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, string>>;
  /** Returns the first time of the schedule after `after` (Unix ms); null when there is none. */
  nextTime(pattern: string, zone: string | null, after: number): number | null;
}
