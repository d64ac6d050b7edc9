import { diffArrays } from 'diff';
import type { Differences } from '#application/ports/differences.ts';
import type { Difference } from '#domain/changes/planned-change.ts';
import {
  type DifferenceLine,
  type Hunk,
  maxShownLines,
  maxShownPlaces,
  type ShownDifference,
  shownRecord,
  shownTextChange,
} from '#domain/changes/shown-difference.ts';

/** How many lines around a change are shown. */
const around = 2;
/** Texts of which more lines differ between the first and the last difference are shown as one replacement. */
const maxCompared = 2_000;
const maxEdits = 500;

/** Compares texts line by line, in time that grows as they do. */
export class LineDifferences implements Differences {
  shown(differences: readonly Difference[]): readonly ShownDifference[] {
    return differences
      .slice(0, maxShownPlaces)
      .map((one) =>
        one.kind === 'record'
          ? shownRecord(one)
          : shownTextChange(one, hunksOf(linesOf(one.before), linesOf(one.after))),
      );
  }
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** The places where two texts differ. */
function hunksOf(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const start = sameAtStart(before, after);
  const end = sameAtEnd(before, after, start);
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (removed.length === 0 && added.length === 0) return [];
  const changes = [
    ...before.slice(Math.max(0, start - around), start).map(same),
    ...compared(removed, added),
    ...before.slice(before.length - end, before.length - end + around).map(same),
  ];
  return parted(changes, Math.max(0, start - around) + 1);
}

const same = (text: string): DifferenceLine => ({ kind: 'same', text });

function compared(removed: readonly string[], added: readonly string[]): readonly DifferenceLine[] {
  const isSmall = removed.length + added.length <= maxCompared;
  const parts = isSmall ? diffArrays([...removed], [...added], { maxEditLength: maxEdits }) : undefined;
  if (parts === undefined) {
    const lines = (kind: DifferenceLine['kind'], texts: readonly string[]) =>
      texts.slice(0, maxShownLines).map((text) => ({ kind, text }));
    return [...lines('removed', removed), ...lines('added', added)];
  }
  return parts.flatMap(({ value, added: isAdded, removed: isRemoved }) => {
    const kind = isAdded ? 'added' : isRemoved ? 'removed' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}

/** Parts lines into places, without the lines between them that are the same. */
function parted(lines: readonly DifferenceLine[], firstLine: number): readonly Hunk[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same');
  const hunks: { line: number; lines: DifferenceLine[] }[] = [];
  let [line, isOpen] = [firstLine, false];
  for (const [index, one] of lines.entries()) {
    const isShown = one.kind !== 'same' || isNear(index);
    if (isShown && !isOpen) hunks.push({ line, lines: [] });
    if (isShown) hunks.at(-1)?.lines.push(one);
    isOpen = isShown;
    if (one.kind !== 'added') line += 1;
  }
  return hunks;
}

function sameAtStart(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count] === after[count]) count += 1;
  return count;
}

function sameAtEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}
