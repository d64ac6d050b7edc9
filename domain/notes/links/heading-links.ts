import type { Splice } from '#domain/notes/edits/edited-note.ts';
import { type FilesNamed, fileMeant } from '#domain/notes/links/file-meant.ts';
import type { ChangedLinks, LeftLink } from '#domain/notes/links/moved-links.ts';
import { linkText, type PlacedLink } from '#domain/notes/links/note-links.ts';

/** A heading that gets another title. `paths` are those of all headings of the note before, `index` is its place there. */
export type HeadingMove = Readonly<{
  note: string;
  paths: readonly (readonly string[])[];
  index: number;
  title: string;
  files: FilesNamed;
}>;

/** What a new title changes in the links of one note: links to the heading, and those whose path has it. */
export function headingLinks(links: readonly PlacedLink[], source: string, move: HeadingMove): ChangedLinks {
  const splices: Splice[] = [];
  const left: LeftLink[] = [];
  const headings = headingsBy(move.paths);
  for (const link of links) {
    const { place } = link;
    if (place === null || place === '' || place.startsWith('^')) continue;
    const meant = fileMeant(move.files, source, link);
    if (meant === null || (meant.kind === 'one' ? meant.path !== move.note : !meant.paths.includes(move.note)))
      continue;
    const found = headingsMeant(headings, link.kind, place);
    const [part] = found.flatMap(({ chain, parts }) => parts.filter((_, at) => chain[at] === move.index));
    const names = part === undefined ? place : renamed(place, part, move);
    if (names === place) continue;
    const text = found.length > 1 || meant.kind === 'several' ? null : linkText(link, link.path, names);
    if (text !== null) splices.push({ start: link.start, end: link.end, text });
    else left.push({ at: link.start, why: whyLeft(found.length > 1, meant.kind === 'several') });
  }
  return { splices, left };
}

const whyLeft = (isHeading: boolean, isNote: boolean): string =>
  isNote
    ? 'Several notes have this name.'
    : isHeading
      ? 'Several headings have this name.'
      : 'No link of this kind can name the title.';

/** The maximum number of headings of one title that a link is compared with. */
const maxNamesakes = 1_000;

type Known = Readonly<{ titles: readonly string[]; slugs: readonly string[]; chain: readonly number[] }>;

/** The headings, by the last title of each as links compare it. */
function headingsBy(paths: readonly (readonly string[])[]): ReadonlyMap<string, readonly Known[]> {
  const by = new Map<string, Known[]>();
  const above: number[] = [];
  for (const [index, path] of paths.entries()) {
    if (path.length === 0) continue;
    above.length = path.length - 1;
    above.push(index);
    const known = { titles: path.map(comparedTitle), slugs: path.slice(-1).map(slugOf), chain: [...above] };
    for (const key of new Set([known.titles.at(-1) ?? '', known.slugs[0] ?? ''])) {
      const same = by.get(key) ?? [];
      if (same.length < maxNamesakes) same.push(known);
      by.set(key, same);
    }
  }
  return by;
}

/** A heading that a link may mean; of each of its parts the heading, and which part of the link names it. */
type MeantHeading = Readonly<{ chain: readonly number[]; parts: readonly number[] }>;

function headingsMeant(
  headings: ReadonlyMap<string, readonly Known[]>,
  kind: PlacedLink['kind'],
  place: string,
): readonly MeantHeading[] {
  const names = place.split('#').map(comparedTitle);
  const last = names.at(-1) ?? '';
  const named = (headings.get(last) ?? []).filter(({ titles }) => titles.at(-1) === last);
  const isAnchor = kind === 'markdown' && names.length === 1 && named.length === 0;
  const known = isAnchor ? (headings.get(place.toLowerCase()) ?? []) : named;
  return known.flatMap(({ titles, chain }) => {
    const [chained, parts]: [number[], number[]] = [[chain.at(-1) ?? 0], [names.length - 1]];
    let depth = titles.length - 2;
    for (let part = names.length - 2; part >= 0; part -= 1) {
      while (depth >= 0 && titles[depth] !== names[part]) depth -= 1;
      if (depth < 0) return [];
      chained.push(chain[depth] ?? 0);
      parts.push(part);
      depth -= 1;
    }
    return [{ chain: chained, parts }];
  });
}

/** The place with another title in one of its parts, written as it was: as a title, or as an anchor. */
function renamed(place: string, part: number, { paths, index, title }: HeadingMove): string {
  const names = place.split('#');
  const isTitle = comparedTitle(names[part] ?? '') === comparedTitle(paths[index]?.at(-1) ?? '');
  names[part] = isTitle ? linkedTitle(title) : slugOf(title);
  return names.join('#');
}

/** A title as links write it: what would end the link is a space. */
const linkedTitle = (title: string): string =>
  title
    .replace(/[:#|^\\\r\n[\]]|%%/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A title as links are compared: letters, digits and few others, in lower case. */
const comparedTitle = (title: string): string =>
  title
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** A title as the anchors of many sites write it. */
const slugOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-');
