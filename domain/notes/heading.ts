import { scanMarkdown } from '#domain/notes/markdown/scan-markdown.ts';

/**
 * The full path of the first heading of that name in a note, from the outermost heading down; null when there is none.
 * Headings in code are none. So a section is found again when a person has put headings above it.
 */
export function findHeading(markdown: string, name: string): readonly string[] | null {
  const above: { level: number; text: string }[] = [];
  for (const { level, text } of scanMarkdown(markdown).headings) {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, text });
    if (text === name) return above.map((heading) => heading.text);
  }
  return null;
}
