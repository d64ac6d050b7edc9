import type { ReactionFault } from '#domain/reaction-notes/reaction-note.ts';

/** A note with a `reaction` key as its text says it, before any check. */
export type WrittenReaction = Readonly<{
  path: string;
  /** The values of the frontmatter's keys, as plain data. */
  values: Readonly<Record<string, unknown>>;
  /** Returns the line of the note, from 1, at which the value at that place of the frontmatter begins. */
  lineOf: (place: readonly (string | number)[]) => number;
  body: string;
  /** The line of the note at which the body begins. */
  bodyLine: number;
  /** Errors in the frontmatter's YAML. */
  errors: readonly ReactionFault[];
  /** Whether every reader of YAML understands the frontmatter as it is. */
  isYaml: boolean;
}>;

/** What a reaction is checked with, beside its own form. */
export type ReactionChecks = Readonly<{
  /** The services that send events. */
  senders: readonly string[];
  /** The folder in which reactions are: none may write there. */
  folder: string;
  /** Returns what is wrong with an expression that may use these names; null for nothing. */
  expression(text: string, names: readonly string[]): string | null;
  /** Returns what is wrong with a template that may use these names, and on which of its lines, from 1; null for nothing. */
  template(text: string, names: readonly string[]): ReactionFault | null;
  /** Returns what is wrong with a schedule; null for nothing. */
  schedule(pattern: string, zone: string | null): string | null;
  /** Returns the names of the operations, as 'tracker.issues.create'. */
  operations: readonly string[];
  /** Returns the errors in the input of an operation, each with the place that it is at. */
  input(
    operation: string,
    input: Readonly<Record<string, unknown>>,
  ): readonly Readonly<{ place: readonly string[]; message: string }>[];
  /** Returns the operation that a name and an input mean, as 'tracker.issues.create'. */
  chosen(operation: string, input: Readonly<Record<string, unknown>>): string;
}>;
