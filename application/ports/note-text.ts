import type { NewNote } from '#domain/notes/new-note.ts';

/** Renders the complete text of a new note: its frontmatter as a YAML block, followed by the body. */
export type NoteText = (note: NewNote) => string;
