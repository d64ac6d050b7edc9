import type { Frontmatter } from '#domain/notes/frontmatter.ts';

/** A note to be made: where, the keys above its text, and the text below them, which is Markdown. */
export type NewNote = Readonly<{ path: string; frontmatter: Frontmatter; body: string }>;
