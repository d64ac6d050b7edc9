import { indexOfText } from '#domain/text/index-of-text.ts';

/**
 * Matches the whole text against a shell pattern: `*` matches any characters, including slashes and line ends; all else
 * is literal, `?` included.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  if (!text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = indexOfText(text, part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
