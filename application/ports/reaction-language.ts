import type { FrontmatterValue } from '#domain/notes/frontmatter.ts';
import type { EventData } from '#domain/reaction-notes/event-data.ts';
import type { ReactionNote, ReadReaction, ScheduleTrigger } from '#domain/reaction-notes/reaction-note.ts';
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

/**
 * Why a reaction could not be read or evaluated: it has an error, or exceeded its processor time or memory. `message` is
 * a sentence for its author.
 */
export type LanguageFailure = Readonly<{ reason: 'faulty' | 'exceeded'; message: string }>;

/**
 * Parses reactions, evaluates their expressions and renders their templates, off the event loop and within limits of
 * time, memory and size; they can access nothing but the data.
 */
export interface ReactionLanguage {
  /** Parses a note's text; null when it is not a reaction. Fails only when that exceeds the limits. */
  read(path: string, text: string): Promise<Result<ReadReaction | null, LanguageFailure>>;
  /** Evaluates the reaction; null when its condition is not met. */
  fill(reaction: ReactionNote, data: EventData): Promise<Result<FilledReaction | null, LanguageFailure>>;
  /** Returns the schedule's latest time after `from` and up to `until` (Unix ms); null when there is none. */
  latestTime(schedule: ScheduleTrigger, from: number, until: number): Promise<number | null>;
}
