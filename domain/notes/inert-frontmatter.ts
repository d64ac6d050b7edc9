import type { Frontmatter, FrontmatterValue } from '#domain/notes/frontmatter.ts';
import { cleanText } from '#domain/notes/markdown-text.ts';

/**
 * Values from a service as a note's frontmatter may have them. Notes apps show them as Markdown and run template commands
 * in them, and a backslash would be seen: so a text is one line, and what would be live in it is spaced or written with other marks.
 * A value made inert stays as it is.
 */
export function inertFrontmatter(frontmatter: Frontmatter): Frontmatter {
  return Object.fromEntries(Object.entries(frontmatter).map(([key, value]) => [key, inertValue(value)]));
}

function inertValue(value: FrontmatterValue): FrontmatterValue {
  if (typeof value === 'string') return inertText(value);
  return typeof value === 'object' && value !== null ? value.map(inertText) : value;
}

function inertText(text: string): string {
  return cleanText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('`', "'")
    .replace(/<(?=[a-z/!?%$])([^<>]*)(>?)/gi, (_, inner: string, end: string) => `‹${inner}${end === '' ? '' : '›'}`)
    .replace(/\[(?=\[)|\](?=\()|%(?=%)|\{(?=\{)|(?<!\bhttps?):(?=\/\/)/gi, '$& ');
}
