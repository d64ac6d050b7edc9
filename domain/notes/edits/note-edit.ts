import type { TagFailure, TagRename } from '#domain/notes/edits/rename-tag.ts';
import type { ReplaceFailure, Replacement } from '#domain/notes/edits/replace-text.ts';

/** A change of a note's text beyond one part of it. */
export type NoteEdit = (Readonly<{ kind: 'replace' }> & Replacement) | (Readonly<{ kind: 'tag' }> & TagRename);

/** Why an edit changed nothing; `detail` is for people. */
export type EditFailure = ReplaceFailure | TagFailure;
