import { type Heading, headingsOf } from '#domain/notes/outline.ts';

/**
 * Finds the first heading with that text in a note and returns its full path, from the outermost heading down; null
 * when there is none. The full path keeps a section addressable after a user has added headings above it.
 */
export function findHeading(markdown: string, name: string): readonly string[] | null {
  const above: Heading[] = [];
  for (const heading of headingsOf(markdown)) {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
    above.push(heading);
    if (heading.text === name) return above.map(({ text }) => text);
  }
  return null;
}

/**
 * Returns the path at which a missing second-level heading is to be created: under the note's first top-level heading.
 * Null when the note has none.
 */
export function placeOfHeading(markdown: string, name: string): readonly string[] | null {
  const title = headingsOf(markdown).find(({ level }) => level === 1);
  return title === undefined ? null : [title.text, name];
}
