import type { Frontmatter } from '#domain/notes/frontmatter.ts';

/** A note to create: its path, its frontmatter, and its text in Markdown. */
export type NewNote = Readonly<{ path: string; frontmatter: Frontmatter; body: string }>;
