/** How many bytes of UTF-8 one name in a path may have; file systems allow 255, the rest is for suffixes. */
const maxNameBytes = 180;

// Separators, what Windows or a link in a note cannot hold, controls, and what a sloppy reader could decode once more.
const unsafeInNames = /[\\/:*?"<>|#^[\]\p{Cc}\p{Zl}\p{Zp}\ufff0-\uffff]+|%(?=[0-9a-f]{2})/giu;

// Characters that cannot be seen, or turn the direction of what follows.
const invisible = /\p{Cf}/gu;

const reservedNames = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * A note's path from a template such as 'Issues/{identifier} {title}.md': each value becomes part of one name, whatever
 * it holds. Unsafe characters become a space, runs of spaces one; names neither start nor end with a dot or space, and
 * are at most 180 bytes long. A value that is missing is left out; a name of which nothing remains is 'Untitled'.
 */
export function notePath(template: string, values: Readonly<Record<string, string | null>>): string {
  const [folders, file] = split(template.replace(/\.md$/, ''));
  const name = (text: string) =>
    safeName(text.replace(/\{(\w+)\}/g, (_, key: string) => (values[key] ?? '').replace(unsafeInNames, ' ')));
  return `${[...folders, file].map(name).join('/')}.md`;
}

/** The same path with a remark before its ending, for when another note has the path: 'a.md' → 'a (remark).md'. */
export function notePathWith(path: string, remark: string): string {
  return `${path.replace(/\.md$/, '')} (${safeName(remark)}).md`;
}

/** One name of a path, made safe. */
export function safeName(text: string): string {
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(unsafeInNames, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '');
  const short = shorten(clean).replace(/[ .]+$/, '');
  if (short === '') return 'Untitled';
  return reservedNames.test(short) ? `_${short}` : short;
}

function shorten(text: string): string {
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

function split(template: string): readonly [readonly string[], string] {
  const names = template.split('/').filter((name) => name !== '');
  return [names.slice(0, -1), names.at(-1) ?? ''];
}
