/** How a kind of note is named and what a new one says below its frontmatter; `{name}` is filled. */
export type NoteTemplate = Readonly<{ path: string; body: string }>;

/** The templates by the kind of note. A team may have its own in their place. */
export type NoteTemplates = Readonly<{ issue: NoteTemplate }>;

/** The templates that come with the product (decisions, Webhooks). The file's name is the title: there is no heading for it. */
export const defaultTemplates: NoteTemplates = {
  issue: {
    path: 'Issues/{identifier} {title}.md',
    body: '\n{link}\n\n{description}\n\n## Notes\n\n## History\n',
  },
};

/** The body with its `{names}` filled; a name without a value is left out, and values are not filled again. */
export function fillBody(body: string, values: Readonly<Record<string, string>>): string {
  return body.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replace(/\n{3,}/g, '\n\n');
}
