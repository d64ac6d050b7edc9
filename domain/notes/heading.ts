import { type Heading, headingsOf } from '#domain/notes/outline.ts';

/**
 * Finds the first heading of that name in a note and returns its full path, from the outermost heading down; null when
 * there is none. So a section is found again after a person has put headings above it.
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
 * Returns the full path at which a missing heading is created on the second level: under the note's first heading of
 * the first level. Null when the note has none.
 */
export function placeOfHeading(markdown: string, name: string): readonly string[] | null {
  const title = headingsOf(markdown).find(({ level }) => level === 1);
  return title === undefined ? null : [title.text, name];
}
