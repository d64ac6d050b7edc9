import type { Frontmatter } from '#domain/notes/frontmatter.ts';
import type { NewNote } from '#domain/notes/new-note.ts';
import { notePath } from '#domain/notes/note-path.ts';

/**
 * A template for one kind of note: its path and initial text, with `{name}` placeholders. `frontmatter` holds the
 * team's own keys, written after the service's and never updated afterwards.
 */
export type NoteTemplate = Readonly<{ path: string; frontmatter: Frontmatter; body: string }>;

/** The placeholders that a template of each kind may use. */
export const templateNames = {
  issue: ['identifier', 'title', 'link', 'description'],
  deal: ['id', 'title'],
  contract: ['id', 'title'],
} as const;

/** The kinds of notes that have a template. */
export type TemplateKind = keyof typeof templateNames;

/** The templates by the kind of note; a team may replace them. */
export type NoteTemplates = Readonly<Record<TemplateKind, NoteTemplate>>;

/** The built-in templates (NOTE-006). An issue's title is its file name, so the issue template has no title heading. */
export const defaultTemplates: NoteTemplates = {
  issue: {
    path: 'Issues/{identifier} {title}.md',
    frontmatter: {},
    body: '\n{link}\n\n{description}\n\n## Notes\n\n## History\n',
  },
  deal: {
    path: 'Deals/{title}.md',
    frontmatter: {},
    body: '\n# Deal\n\n{title}\n\n## Notes\n\n## History\n',
  },
  contract: {
    path: 'Contracts/{title}.md',
    frontmatter: {},
    body: '\n# Contract\n\n{title}\n\n## Notes\n\n## Download\n\n## Status History\n',
  },
};

/** The values for a new note: the service's frontmatter, raw values for its path, and texts as escaped Markdown. */
export type NoteFilling = Readonly<{
  frontmatter: Frontmatter;
  names: Readonly<Record<string, string | null>>;
  /** The note's name when all of the path's values are empty: 'Deal 42'. */
  untitled: string;
  texts: Readonly<Record<string, string>>;
}>;

/** Creates a new note from its template. The service's frontmatter keys override the template's. */
export function newNote(template: NoteTemplate, { frontmatter, names, untitled, texts }: NoteFilling): NewNote {
  const own = Object.entries(template.frontmatter).filter(([key]) => !Object.hasOwn(frontmatter, key));
  return {
    path: notePath(template.path, names, untitled),
    frontmatter: { ...frontmatter, ...Object.fromEntries(own) },
    body: fillBody(template.body, texts),
  };
}

/**
 * Replaces the `{names}` in a body; a name without a value is removed, and placeholders inside values are not replaced.
 * A quotation starts on a line of its own, since its first line would not be quoted after other text.
 */
export function fillBody(body: string, values: Readonly<Record<string, string>>): string {
  const fill = (_: string, name: string, offset: number) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    const isWithin = offset > 0 && body[offset - 1] !== '\n';
    return value.startsWith('>') && isWithin ? `\n${value}` : value;
  };
  return body.replace(/\{(\w+)\}/g, fill).replace(/\n{3,}/g, '\n\n');
}
