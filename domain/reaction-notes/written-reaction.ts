import type { ReactionFault } from '#domain/reaction-notes/reaction-note.ts';

/** A note with a `reaction` key, parsed but not validated. */
export type WrittenReaction = Readonly<{
  path: string;
  /** The values of the frontmatter's keys, as plain data. */
  values: Readonly<Record<string, unknown>>;
  /** Returns the line of the note, counted from 1, on which the value at that place of the frontmatter starts. */
  lineOf: (place: readonly (string | number)[]) => number;
  body: string;
  /** The line of the note on which the body starts, counted from 1. */
  bodyLine: number;
  /** Errors in the frontmatter's YAML. */
  errors: readonly ReactionFault[];
  /** Whether standard YAML parsers can read the frontmatter as it is. */
  isYaml: boolean;
}>;

/** What the validation of a reaction needs to know about this server. */
export type ReactionChecks = Readonly<{
  /** The services that send events. */
  senders: readonly string[];
  /** The folder that contains the reactions; reactions must not write into it. */
  folder: string;
  /** Returns the error in an expression that may use these names; null when there is none. */
  expression(text: string, names: readonly string[]): string | null;
  /**
   * Returns the error in a template that may use these names, with the template's line counted from 1; null when there
   * is none.
   */
  template(text: string, names: readonly string[]): ReactionFault | null;
  /** Returns the error in a schedule; null when there is none. */
  schedule(pattern: string, zone: string | null): string | null;
  /** Checks a call by the operation or tool that it names. */
  call(name: string, input: Readonly<Record<string, unknown>>): CallCheck;
}>;

/**
 * What this server says of a call: the operation to call, 'tracker.issues.create', null when there is none of that name;
 * the known name that was probably meant; and the errors in the input, each with its place.
 */
export type CallCheck = Readonly<{
  operation: string | null;
  nearest: string | null;
  errors: readonly Readonly<{ place: readonly string[]; message: string }>[];
}>;
