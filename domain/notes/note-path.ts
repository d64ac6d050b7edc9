import { inNfc } from '#domain/text/nfc.ts';

/** The maximum length of one path segment, in bytes of UTF-8; file systems allow 255, the rest is left for suffixes. */
const maxNameBytes = 180;

/** The maximum number of characters that is normalized before a name is truncated. */
const maxNormalized = 2_000;

// Separators, characters that Windows file names or links in notes do not allow, control characters, and percent
// escapes, which might be decoded a second time.
const unsafeInNames = /[\\/:*?"<>|#^[\]\p{Cc}\p{Zl}\p{Zp}\ufff0-\uffff]+|%(?=[0-9a-f]{2})/giu;

// Characters that are invisible or change the direction of the text after them; not what joins two emoji to one.
const invisible =
  /(?!\u200D)\p{Cf}|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D|\u200D(?!\p{Extended_Pictographic})/gu;

const reservedNames = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * Builds a note's path from a template such as 'Issues/{identifier} {title}.md'; a value never adds a path segment,
 * whatever it contains. Unsafe characters become a space, and runs of spaces collapse to one; segments neither start
 * nor end with a dot or space, and are at most 180 bytes long. A missing value is left out; when all values of a
 * segment are empty, `untitled` ('Deal 42') replaces them.
 */
export function notePath(template: string, values: Readonly<Record<string, string | null>>, untitled: string): string {
  const names = template
    .replace(/\.md$/, '')
    .split('/')
    .filter((name) => name !== '')
    .map((name) => filledName(name, values, untitled));
  return `${names.join('/')}.md`;
}

function filledName(name: string, values: Readonly<Record<string, string | null>>, untitled: string): string {
  const placeholders = /\{(\w+)\}/g;
  const cleanValue = (key: string) =>
    (Object.hasOwn(values, key) ? (values[key] ?? '') : '').replace(unsafeInNames, ' ');
  const keys = [...name.matchAll(placeholders)].map(([, key = '']) => key);
  const isEmpty = keys.length > 0 && keys.every((key) => remainderOf(cleanValue(key)) === '');
  const [first = ''] = keys;
  return isEmpty
    ? safeName(name.replace(`{${first}}`, () => untitled.replace(unsafeInNames, ' ')).replace(placeholders, ''))
    : safeName(name.replace(placeholders, (_, key: string) => cleanValue(key)));
}

/** Adds a remark before a path's extension, to avoid a path that is taken: 'a.md' → 'a (remark).md'. */
export function notePathWith(path: string, remark: string): string {
  return `${path.replace(/\.md$/, '')} (${safeName(remark)}).md`;
}

/** Makes a text safe as one path segment; 'Untitled' when nothing remains of it. */
export function safeName(text: string): string {
  const remainder = remainderOf(text);
  if (remainder === '') return 'Untitled';
  return reservedNames.test(remainder) ? `_${remainder}` : remainder;
}

/** Removes the characters that a path segment cannot contain and truncates it to 180 bytes. */
function remainderOf(text: string): string {
  const clean = inNfc(startOf(text))
    .replace(invisible, '')
    .replace(unsafeInNames, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '');
  return shorten(clean).replace(/(?<![ .\u200D])[ .\u200D]+$/, '');
}

/** Truncates a text before normalization, whose reordering of long runs of combining marks takes quadratic time. */
function startOf(text: string): string {
  const visible = text
    .replace(invisible, '')
    .replace(unsafeInNames, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '');
  return visible.slice(0, maxNormalized).toWellFormed();
}

function shorten(text: string): string {
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= maxNameBytes) return text;
  const encoder = new TextEncoder();
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > maxNameBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
