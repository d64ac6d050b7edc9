/** The failures of a patch, in the terms of the patch format; `invalid-frontmatter` carries the parser's message. */
export type PatchFailure = Readonly<{
  reason:
    | 'invalid-target'
    | 'content-already-preexists-in-target'
    | 'content-type-invalid'
    | 'content-type-invalid-for-target'
    | 'table-content-incorrect-column-count'
    | 'content-not-mergeable'
    | 'invalid-frontmatter';
  detail?: string;
}>;
