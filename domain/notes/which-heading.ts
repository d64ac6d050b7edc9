import { type Section, sectionsOf } from '#domain/notes/sections.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { listed } from '#domain/text/listed.ts';

/** How a heading is named. */
export type HeadingName = Readonly<{
  /** Its path (`Deal::History`) or the end of it (`History`); with its place where several match (`History#2`). */
  target: string;
  /** What separates the headings of the path; `::` by default. */
  delimiter?: string;
  /** Whether only the full path names a heading, as in the REST interface of the notes app. */
  isFullPath?: boolean;
  /** Whether the target may end in a place; true by default. */
  hasPlace?: boolean;
}>;

/** The failure of a name that several headings have; `detail` lists them with their lines. */
export type AmbiguousHeading = Readonly<{ reason: 'ambiguous-target'; detail: string }>;

/** What separates the headings of a path. */
export const headingDelimiter = '::';

/**
 * Finds the heading that a text means; null when the note has none of that name. Several are a failure that lists all
 * of them: none is taken by guess.
 */
export function whichHeading(text: string, name: HeadingName): Result<Section | null, AmbiguousHeading> {
  return whichSection(text, sectionsOf(text), name);
}

/** The same over the sections of the text; an empty target means the whole body. */
export function whichSection(
  text: string,
  sections: readonly Section[],
  { target, delimiter = headingDelimiter, isFullPath = false, hasPlace = true }: HeadingName,
): Result<Section | null, AmbiguousHeading> {
  if (target === '') return ok(sections[0] ?? null);
  const named = (wanted: string) => sections.filter((section) => endsWith(section, wanted, delimiter));
  const matches = named(target);
  const exact = matches.filter(({ path }) => isPath(path, target, delimiter));
  const [only, ...others] = isFullPath || (exact.length === 1 && exact.every(isNested)) ? exact : matches;
  if (others.length > 0) return err(ambiguousHeading(text, matches, target, delimiter));
  if (only !== undefined) return ok(only);
  const place = hasPlace ? placeIn(target) : null;
  const namesakes = place === null ? [] : named(place.name);
  if (place !== null && namesakes.length > 0) {
    const placed = namesakes[place.number - 1];
    return placed === undefined ? err(ambiguousHeading(text, namesakes, place.name, delimiter)) : ok(placed);
  }
  const unmarked = isFullPath ? target : target.replace(/^#{1,6}[ \t]/, '').trim();
  return unmarked === target ? ok(null) : whichSection(text, sections, { target: unmarked, delimiter });
}

/**
 * The text that names each section: its full path, with its place (`History#2`) where the path alone names several. A
 * path of one heading names all headings of that text.
 */
export function addressesOf(sections: readonly Section[], delimiter = headingDelimiter): readonly string[] {
  const paths = sections.map(({ path }) => path.join(delimiter));
  const wholes = new Map<string, number>();
  for (const path of paths) wholes.set(path, (wholes.get(path) ?? 0) + 1);
  const ends = new Map<string, number>();
  const places = sections.map(({ path }, index) => {
    for (let from = path.length - 1; from >= 0; from -= 1) {
      const end = path.slice(from).join(delimiter);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    return ends.get(paths[index] ?? '');
  });
  return sections.map((section, index) => {
    const path = paths[index] ?? '';
    const isOne = wholes.get(path) === 1 && (isNested(section) || ends.get(path) === 1);
    return isOne || section.level === 0 ? path : `${path}#${places[index]}`;
  });
}

/** The address of one of the sections. */
export function addressIn(sections: readonly Section[], section: Section, delimiter = headingDelimiter): string {
  const namesakes = sections.filter((other) => endsWith(other, section.path.join(delimiter), delimiter));
  return addressesOf(namesakes, delimiter)[namesakes.indexOf(section)] ?? '';
}

/** The maximum total length of the paths that are listed at once, in characters. */
const maxPaths = 1024 * 1024;

/** Whether the paths are too long to be listed: a long heading is repeated in the path of each heading below it. */
export function areTooLong(sections: readonly Section[]): boolean {
  return sections.reduce((sum, { path }) => path.reduce((all, title) => all + title.length + 2, sum), 0) > maxPaths;
}

/** The number of the line at an offset, from 1. */
export function lineNumberAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The maximum number of headings, and of characters of each, in a failure. */
const [maxListed, maxShown] = [20, 200];

/** The failure of a name that all of these headings of a text have. */
export function ambiguousHeading(
  text: string,
  matches: readonly Section[],
  target: string,
  delimiter = headingDelimiter,
): AmbiguousHeading {
  const addresses = areTooLong(matches) ? [] : addressesOf(matches, delimiter);
  const names = matches.slice(0, maxListed).map(({ from }, index) => {
    const address = addresses[index] ?? '';
    const isShown = address !== '' && address.length <= maxShown;
    return `"${isShown ? address : `${target}#${index + 1}`}" (line ${lineNumberAt(text, from)})`;
  });
  const more = matches.length > maxListed ? [`${matches.length - maxListed} more`] : [];
  const count = `The note has the heading "${target}" ${matches.length === 1 ? 'once' : `${matches.length} times`}`;
  return { reason: 'ambiguous-target', detail: `${count}: ${listed([...names, ...more])}. Name one as written here.` };
}

const isNested = ({ path }: Section): boolean => path.length > 1;

/** Whether the titles joined are that path; compares lengths first, so that they are joined only if they can match. */
function isPath(titles: readonly string[], path: string, delimiter: string): boolean {
  const length = titles.reduce((sum, title) => sum + title.length, delimiter.length * (titles.length - 1));
  return length === path.length && titles.join(delimiter) === path;
}

/** Whether a section's path, or the end of it, is that name. */
function endsWith({ path }: Section, name: string, delimiter: string): boolean {
  const last = path.at(-1);
  return last !== undefined && name.endsWith(last) && path.some((_, at) => isPath(path.slice(at), name, delimiter));
}

/** The parts of a name with a place (`History#2`); null for others. */
function placeIn(target: string): Readonly<{ name: string; number: number }> | null {
  const mark = target.lastIndexOf('#');
  const digits = target.slice(mark + 1);
  return mark > 0 && /^[1-9]\d{0,4}$/.test(digits) ? { name: target.slice(0, mark), number: Number(digits) } : null;
}
