import { describe, expect, it } from 'vitest';
import { hunksBetween, lineIds, linesOf, mergedHunks, withHunks } from '#adapters/services/vault/details/line-hunks.ts';
import { noteBefore } from '#adapters/services/vault/details/note-undo.ts';

/** A generator of the same numbers below a bound in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The text with some lines replaced, removed or added. */
function edited(lines: readonly string[], next: (below: number) => number, words: readonly string[]): string[] {
  const made = [...lines];
  for (let edits = next(6); edits >= 0; edits -= 1) {
    const added = Array.from({ length: next(4) }, () => words[next(words.length)] ?? '');
    made.splice(next(made.length + 1), next(4), ...added);
  }
  return made;
}

const few = ['', '\r', 'a', 'b', 'a\r', '\0', '---'];

describe('lines of a text that were changed', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))('are put back exactly, in case %i (VER-001)', (seed) => {
    const next = numbers(seed);
    const before = edited([], next, few).join('\n');
    const after = edited(linesOf(before), next, few).join('\n');
    const hunks = hunksBetween(linesOf(before), linesOf(after));
    expect(withHunks(linesOf(after), hunks).join('\n')).toBe(before);
    expect(mergedHunks(lineIds(linesOf(after)), linesOf(after), hunks)).toEqual({
      lines: linesOf(before),
      conflicts: [],
    });
  });

  it.each(Array.from({ length: 200 }, (_, seed) => seed))(
    'are put back among edits of other lines, in case %i (VER-002)',
    (seed) => {
      const next = numbers(seed + 1_000);
      const part = (name: string): string[] => Array.from({ length: 3 + next(8) }, (_, index) => `${name} ${index}`);
      const [top, middle, end] = [part('top'), part('middle'), part('end')];
      const fence = (name: string): string[] => [`${name} 1`, `${name} 2`];
      const text = (one: readonly string[], two: readonly string[], three: readonly string[]): string[] => [
        ...one,
        ...fence('upper fence'),
        ...two,
        ...fence('lower fence'),
        ...three,
      ];
      const changed = edited(middle, next, ['x', 'y', '']);
      const [newTop, newEnd] = [edited(top, next, ['p', 'q']), edited(end, next, ['r', 's'])];
      const hunks = hunksBetween(text(top, middle, end), text(top, changed, end));
      const merged = mergedHunks(lineIds(text(top, changed, end)), text(newTop, changed, newEnd), hunks);
      expect(merged).toEqual({ lines: text(newTop, middle, newEnd), conflicts: [] });
    },
  );

  it('are in conflict with a later change of themselves, which is named by its lines (VER-003)', () => {
    const hunks = hunksBetween(['a', 'b', 'c', 'd'], ['a', 'B', 'C', 'd']);
    const ids = lineIds(['a', 'B', 'C', 'd']);
    expect(mergedHunks(ids, ['new', 'a', 'B', 'other', 'd'], hunks)).toEqual({
      lines: ['new', 'a', 'b', 'c', 'd'],
      conflicts: [3, 4],
    });
  });

  it('are not looked for in a text with too many lines', () => {
    const many = Array.from({ length: 20_001 }, (_, index) => `${index}`);
    const hunks = hunksBetween(many, ['new', ...many]);
    expect(withHunks(['new', ...many], hunks)).toEqual(many);
    expect(mergedHunks(lineIds(['new', ...many]), [...many, 'more'], hunks)).toBeNull();
  });
});

describe('what a note is to be again', () => {
  it('is what it is where it was taken back before', () => {
    const current = Buffer.from('a');
    const undo = { path: 'A.md', was: 'ca978112ca1bbdca', is: '3e23e8160039594a', hunks: [], ids: '' };
    expect(noteBefore(undo, current, false)).toEqual({ ok: true, value: current });
  });
});
