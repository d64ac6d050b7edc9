import type { NewNote } from '#domain/notes/new-note.ts';

/** Renders the whole text of a new note: its frontmatter as a block of YAML, and the body below. */
export type NoteText = (note: NewNote) => string;
