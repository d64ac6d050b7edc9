import { type Section, sectionsOf } from '#domain/notes/sections.ts';
import {
  type AmbiguousHeading,
  ambiguousHeading,
  type HeadingName,
  headingDelimiter,
  whichSection,
} from '#domain/notes/which-heading.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/**
 * Finds the heading under which a reaction writes; null when the note has none of that name. Of several, the one at
 * `placeOfHeading` is meant; else they are a failure that lists them.
 */
export function findHeading(markdown: string, name: string): Result<Section | null, AmbiguousHeading> {
  const sections = sectionsOf(markdown);
  const named = sections.filter(({ path }) => path.at(-1) === name);
  const title = sections.find(({ level }) => level === 1)?.path[0];
  const usual = named.filter(({ path }) => path.length === 2 && path[0] === title);
  const [only = null, ...others] = named.length > 1 && usual.length > 0 ? usual : named;
  return others.length === 0 ? ok(only) : err(ambiguousHeading(markdown, named, name));
}

/**
 * The full path, from the outermost heading down, of the heading under which a reaction writes: that of the heading
 * there is, else where a second-level one is to be created. Null when the note has no place for one.
 */
export function headingFor(markdown: string, name: string): Result<readonly string[] | null, AmbiguousHeading> {
  const found = findHeading(markdown, name);
  if (!found.ok) return found;
  return ok(found.value?.path ?? placeOfHeading(markdown, name));
}

/**
 * Returns the path at which a missing second-level heading is to be created: under the note's first top-level heading.
 * Null when the note has none.
 */
export function placeOfHeading(markdown: string, name: string): readonly string[] | null {
  const title = sectionsOf(markdown).find(({ level }) => level === 1);
  return title === undefined ? null : [...title.path, name];
}

/** The maximum number of headings in a path that are looked for. */
const maxDepth = 50;

/** Where a missing heading is created: the heading above it, null for none, and its path from there. */
export type NewHeadingPlace = Readonly<{ above: Section | null; path: string }>;

/**
 * Where a heading that the note lacks is created: below the heading that its path begins with, wherever that is; else
 * below the note's title, if it has exactly one heading of the first level.
 */
export function placeOfNewHeading(
  markdown: string,
  sections: readonly Section[],
  { target, delimiter = headingDelimiter, isFullPath = false }: HeadingName,
): Result<NewHeadingPlace, AmbiguousHeading> {
  const ends: number[] = [];
  for (
    let at = target.indexOf(delimiter, 1);
    at !== -1 && ends.length < maxDepth;
    at = target.indexOf(delimiter, at + 1)
  )
    ends.push(at);
  for (const end of ends.toReversed()) {
    const name = { target: target.slice(0, end), delimiter, isFullPath, hasPlace: !isFullPath };
    const above = whichSection(markdown, sections, name);
    if (!above.ok) return above;
    if (above.value !== null) return ok({ above: above.value, path: target.slice(end + delimiter.length) });
  }
  const [title = null, ...others] = isFullPath ? [] : sections.filter(({ level }) => level === 1);
  return ok({ above: others.length > 0 ? null : title, path: target });
}
