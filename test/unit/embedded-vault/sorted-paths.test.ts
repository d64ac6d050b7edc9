import { expect, it } from 'vitest';
import { SortedPaths } from '#adapters/vault-folder/index/sorted-paths.ts';

/** Paths of which some are changed at a time, and how often all were asked for. */
function pathsOf(count: number) {
  const all = new Set(Array.from({ length: count }, (_, index) => `Notes/${(index * 7919) % 10_007}.md`));
  let asked = 0;
  const sorted = new SortedPaths(
    () => {
      asked += 1;
      return all;
    },
    (path) => all.has(path) && !path.includes('13'),
  );
  const isRight = () => {
    const expected = [...all].filter((path) => !path.includes('13')).sort();
    return JSON.stringify(sorted.get()) === JSON.stringify(expected);
  };
  return { all, sorted, isRight, timesAsked: () => asked };
}

it('has what was added and removed in its place, without sorting all again (EMB-040)', () => {
  const { all, sorted, isRight, timesAsked } = pathsOf(1_000);
  expect(isRight()).toBe(true);
  for (let round = 0; round < 200; round += 1) {
    const path = `Notes/${(round * 104_729) % 10_007}.md`;
    if (!all.delete(path)) all.add(path);
    sorted.noteChange(path);
    // Twice before it is asked again: there and gone, or the other way round.
    if (round % 3 === 0) sorted.noteChange(path);
    if (round % 2 === 0) expect(isRight()).toBe(true);
  }
  for (const path of ['', 'A.md', 'Notes', 'ÿ.md', '\u{1F600}.md']) {
    all.add(path);
    sorted.noteChange(path);
  }
  expect(isRight()).toBe(true);
  expect(timesAsked()).toBe(1);
});

it('does not change a list that it has returned, and sorts all again after many changes (EMB-040)', () => {
  const { all, sorted, isRight, timesAsked } = pathsOf(1_000);
  const before = sorted.get();
  const text = JSON.stringify(before);
  for (let index = 0; index < 600; index += 1) {
    all.add(`New/${index}.md`);
    sorted.noteChange(`New/${index}.md`);
  }
  expect(isRight()).toBe(true);
  expect(JSON.stringify(before)).toBe(text);
  expect(timesAsked()).toBe(2);
});
