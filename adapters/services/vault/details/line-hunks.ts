import { hash } from 'node:crypto';
import { diffArrays } from 'diff';

/**
 * A place in which a text differs from what it was: `count` lines from `at` on, from 0, which were `lines`. Lines are
 * what stands between line feeds, so that all of a text is kept: carriage returns, and a missing feed at its end.
 */
export type LineHunk = Readonly<{ at: number; count: number; lines: string[] }>;

/** How two lists of lines run side by side: as many as are the same at the start and at the end. */
type Ends = Readonly<{ start: number; end: number }>;

/** Above as many lines between the first and the last difference, or differences, they are one. */
const maxCompared = 20_000;
const maxEdits = 1_000;

/** Texts with more lines are merged with no later edits. */
export const maxMerged = 20_000;
const idLength = 8;

/** The lines of a text; `join('\n')` gives the text again. */
export const linesOf = (text: string): readonly string[] => text.split('\n');

/** The number of lines of a text as people count them: a line feed at its end ends the last one. */
export function countLines(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}

/** Returns what the text after is given in place of, to be the text before. */
export function hunksBetween(before: readonly string[], after: readonly string[]): LineHunk[] {
  const { start, end } = sameEnds(before, after);
  const parts = compared(after.slice(start, after.length - end), before.slice(start, before.length - end));
  const hunks: { at: number; count: number; lines: string[] }[] = [];
  let [at, isOpen] = [start, false];
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      isOpen = false;
      continue;
    }
    const hunk = isOpen ? hunks.pop() : undefined;
    const { count, lines } = hunk ?? { count: 0, lines: [] };
    const place = hunk?.at ?? at;
    hunks.push({ at: place, count: count + (removed ? value.length : 0), lines: added ? [...lines, ...value] : lines });
    if (removed) at += value.length;
    isOpen = true;
  }
  return hunks;
}

/** Identifies each line of a text by eight characters; '' for a text with too many lines. */
export function lineIds(lines: readonly string[]): string {
  return lines.length > maxMerged ? '' : lines.map(idOf).join('');
}

const idOf = (line: string): string => hash('sha256', line, 'base64url').slice(0, idLength);

/** Puts back what the hunks of a text were. */
export function withHunks(lines: readonly string[], hunks: readonly LineHunk[]): readonly string[] {
  return spliced(
    lines,
    hunks.map((hunk) => ({ ...hunk, end: hunk.at + hunk.count })),
  );
}

/** A text in which hunks were put back, and the lines, from 1, that were changed since and stand in the way. */
export type MergedLines = Readonly<{ lines: readonly string[]; conflicts: readonly number[] }>;

/**
 * Puts back what the hunks of a text were, in the text that was made of it since: a merge of three, in which the other
 * edits stay. Where the lines of a hunk were changed themselves, they are overwritten, and listed. Null when the text
 * has too many lines, or differs too much.
 */
export function mergedHunks(ids: string, current: readonly string[], hunks: readonly LineHunk[]): MergedLines | null {
  if (ids === '' || current.length > maxMerged * 2) return null;
  const base = ids.match(/.{8}/g) ?? [];
  const found = alignment(base, current.map(idOf));
  if (found === null) return null;
  const conflicts: number[] = [];
  const places = hunks.map((hunk) => {
    const clean = cleanPlace(found, hunk);
    if (clean !== null) return { ...hunk, ...clean };
    const place = changedPlace(found, hunk);
    for (let line = place.at; line < Math.max(place.end, place.at + 1); line += 1) conflicts.push(line + 1);
    return { ...hunk, ...place };
  });
  return { lines: spliced(current, places), conflicts };
}

type Place = Readonly<{ at: number; end: number }>;

/** Where each line of one text is in another, -1 for nowhere; from one before the first to one after the last. */
type Alignment = Readonly<{ of(index: number): number; length: number }>;

function cleanPlace({ of }: Alignment, { at, count }: LineHunk): Place | null {
  const first = of(at);
  if (count > 0) {
    const isWhole =
      first !== -1 && Array.from({ length: count }, (_, n) => of(at + n)).every((line, n) => line === first + n);
    return isWhole ? { at: first, end: first + count } : null;
  }
  const previous = at === 0 ? 0 : of(at - 1) === -1 ? null : of(at - 1) + 1;
  const place = previous ?? (first === -1 ? null : first);
  return place === null ? null : { at: place, end: place };
}

function changedPlace({ of, length }: Alignment, { at, count }: LineHunk): Place {
  let [before, after] = [at - 1, at + count];
  while (before >= 0 && of(before) === -1) before -= 1;
  while (after < length && of(after) === -1) after += 1;
  return { at: before < 0 ? 0 : of(before) + 1, end: of(after) };
}

function alignment(base: readonly string[], current: readonly string[]): Alignment | null {
  const { start, end } = sameEnds(base, current);
  const parts = diffArrays(base.slice(start, base.length - end), current.slice(start, current.length - end), {
    maxEditLength: maxEdits * 2,
  });
  if (parts === undefined) return null;
  const places: number[] = Array.from({ length: start }, (_, index) => index);
  let at = start;
  for (const { value, added, removed } of parts) {
    if (!added) for (let n = 0; n < value.length; n += 1) places.push(removed ? -1 : at + n);
    if (!removed) at += value.length;
  }
  for (let n = 0; n <= end; n += 1) places.push(current.length - end + n);
  return { of: (index) => places[index] ?? -1, length: base.length };
}

function spliced(
  lines: readonly string[],
  places: readonly Readonly<{ at: number; end: number; lines: readonly string[] }>[],
): readonly string[] {
  const parts: (readonly string[])[] = [];
  let from = 0;
  for (const { at, end, lines: back } of places) {
    parts.push(lines.slice(from, Math.max(at, from)), back);
    from = Math.max(end, from);
  }
  parts.push(lines.slice(from));
  return parts.flat();
}

function compared(from: readonly string[], to: readonly string[]) {
  const isSmall = from.length + to.length <= maxCompared;
  const parts = isSmall ? diffArrays([...from], [...to], { maxEditLength: maxEdits }) : undefined;
  return (
    parts ?? [
      { value: [...from], removed: true, added: false },
      { value: [...to], removed: false, added: true },
    ]
  );
}

function sameEnds(left: readonly string[], right: readonly string[]): Ends {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  return { start, end };
}
