/** Where in the target the content is inserted. */
export type PatchOperation = 'append' | 'prepend' | 'replace';

/**
 * The part of the note to change. A heading's target is its full path (the headings above it, then its own) or place;
 * with `isEnd`, the end of that path suffices.
 */
export type PatchTarget =
  | Readonly<{ kind: 'heading'; path: string; delimiter: string; isEnd?: boolean }>
  | Readonly<{ kind: 'block'; id: string }>
  | Readonly<{ kind: 'frontmatter'; key: string }>;

/** A PATCH of format 1.x. `content` is text, or any JSON value when `isJson`. */
export type PatchInstruction = Readonly<{
  operation: PatchOperation;
  target: PatchTarget;
  content: unknown;
  isJson: boolean;
  createTargetIfMissing: boolean;
  rejectIfContentPreexists: boolean;
  trimTargetWhitespace: boolean;
}>;

/**
 * The failures of a patch, in the terms of the patch format; `invalid-frontmatter` carries the parser's message, and
 * `ambiguous-target`, which is not of that format, the headings that the target may mean.
 */
export type PatchFailure = Readonly<{
  reason:
    | 'invalid-target'
    | 'ambiguous-target'
    | 'content-already-preexists-in-target'
    | 'content-type-invalid'
    | 'content-type-invalid-for-target'
    | 'table-content-incorrect-column-count'
    | 'content-not-mergeable'
    | 'invalid-frontmatter';
  detail?: string;
}>;
