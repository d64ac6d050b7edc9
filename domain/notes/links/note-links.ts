import { codeRanges, type Range } from '#domain/notes/code-ranges.ts';
import { splitNote } from '#domain/notes/note-parts.ts';

/** A link in the text of a note to a file of the vault, and to a place in it. */
export type PlacedLink = Range &
  Readonly<{
    /** `[[path#place]]`, or `[text](path#place)`; embeds and definitions included. The range is `path#place`. */
    kind: 'wiki' | 'markdown';
    /** The path as it is meant, decoded; '' for the note itself. */
    path: string;
    /** What follows `#`, decoded: a heading, or `^` and the id of a block; null for the whole file. */
    place: string | null;
    /** Whether a Markdown address is in `<>`. */
    isQuoted: boolean;
  }>;

const wiki = /\[\[([^[\]|\n]+)(?:\|[^[\]\n]*)?\]\]/g;
const inline =
  /\]\((?:<([^<>\n]+)>|((?:[^()\s]|\([^()\s]*\))+))(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)/g;
const definition = /^ {0,3}\[(?!\^)[^[\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|([^\s<][^\s]*))/gm;

/** The maximum number of links of a note. */
const maxLinks = 20_000;

/** The links of a note in order, in its frontmatter too, without those in code and to the web; the first 20,000. */
export function linksOf(text: string): readonly PlacedLink[] {
  const found = [...wikiLinks(text), ...markdownLinks(text, inline), ...markdownLinks(text, definition)];
  if (found.length === 0) return [];
  const code = codeRanges(text, splitNote(text).bodyStart);
  let at = 0;
  const links: PlacedLink[] = [];
  for (const link of found.sort((a, b) => a.start - b.start)) {
    while (at < code.length && (code[at]?.end ?? 0) <= link.start) at += 1;
    const isInCode = (code[at]?.start ?? text.length) <= link.start;
    const isWithin = link.start < (links.at(-1)?.end ?? 0);
    if (!isInCode && !isWithin) links.push(link);
  }
  return links;
}

function wikiLinks(text: string): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const match of text.matchAll(wiki)) {
    // In a table the bar before the shown text is escaped.
    const inner = (match[1] ?? '').replace(/\\$/, '');
    const start = match.index + 2 + (inner.length - inner.trimStart().length);
    const target = inner.trim();
    const { path, place } = partsOf(target);
    if (target !== '') links.push({ kind: 'wiki', start, end: start + target.length, path, place, isQuoted: false });
    if (links.length >= maxLinks) break;
  }
  return links;
}

function markdownLinks(text: string, pattern: RegExp): PlacedLink[] {
  const links: PlacedLink[] = [];
  for (const match of text.matchAll(pattern)) {
    const address = match[1] ?? match[2] ?? '';
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) continue;
    const start = match.index + match[0].indexOf(address, match[0].indexOf(pattern === inline ? '](' : ']:') + 2);
    const { path, place } = partsOf(address);
    links.push({
      kind: 'markdown',
      start,
      end: start + address.length,
      path: decoded(path),
      place: place === null ? null : decoded(place),
      isQuoted: match[1] !== undefined,
    });
    if (links.length >= maxLinks) break;
  }
  return links;
}

function partsOf(target: string): Readonly<{ path: string; place: string | null }> {
  const hash = target.indexOf('#');
  if (hash === -1) return { path: target, place: null };
  return { path: target.slice(0, hash).trimEnd(), place: target.slice(hash + 1) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a link to another path and place is written as; null where this kind of link cannot name them. */
export function linkText(
  { kind, isQuoted }: Pick<PlacedLink, 'kind' | 'isQuoted'>,
  path: string,
  place: string | null,
): string | null {
  const parts = place === null ? [path] : [path, place];
  if (kind === 'markdown') return parts.map((part) => encoded(part, isQuoted)).join('#');
  return /[#^[\]|\n]/.test(path) || /[[\]|\n]/.test(place ?? '') ? null : parts.join('#');
}

/** The characters that end an address, or mean something else in it. */
const [unsafe, unsafeQuoted] = [/[\s()<>%#?\\"'[\]|`]/gu, /[<>%#?\\\n\r]/gu];

const encoded = (text: string, isQuoted: boolean): string =>
  text.replace(isQuoted ? unsafeQuoted : unsafe, (character) =>
    /[()']/.test(character) ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(character),
  );
