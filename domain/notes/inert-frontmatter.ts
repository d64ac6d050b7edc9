import type { Frontmatter, FrontmatterValue } from '#domain/notes/frontmatter.ts';
import { cleanText } from '#domain/notes/markdown-text.ts';

/**
 * Neutralizes a service's values for a note's frontmatter. Notes apps render them as Markdown and run template commands
 * in them, and would display an escaping backslash, so each text is collapsed to one line, and active characters are
 * spaced apart or replaced. Idempotent.
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
