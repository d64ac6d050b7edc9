import type { FrontmatterValue } from '#domain/notes/frontmatter.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import type { Result } from '#domain/shared/result.ts';

/** A reaction evaluated for one event. `path` is not validated yet. */
export type FilledReaction = Readonly<{
  path: string | null;
  heading: string | null;
  once: string | null;
  text: string;
  frontmatter: Readonly<Record<string, FrontmatterValue>>;
  /** The inputs of its calls, in order. */
  inputs: readonly Readonly<Record<string, unknown>>[];
}>;

/** Parses reactions, evaluates their expressions and renders their templates; these can access nothing but the data. */
export interface ReactionLanguage {
  /** Parses a note's text; null when it is not a reaction. */
  read(path: string, text: string): Promise<ReadReaction | null>;
  /** Whether the reaction's condition is met, if that is cheap to evaluate; null when `fill` has to decide. */
  isMet(reaction: ReactionNote, data: EventData): Result<boolean, string> | null;
  /**
   * Evaluates the reaction within limits of time, memory and size; null when its condition is not met. A failure is a
   * sentence for the reaction's author.
   */
  fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, string>>;
  /** Returns the schedule's first time after `after` (Unix ms); null when there is none. */
  nextTime(pattern: string, zone: string | null, after: number): number | null;
}
