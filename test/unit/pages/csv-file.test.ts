import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { csvParts, nextBefore, perChunk } from '#adapters/http/answers/csv-file.ts';

/** A list of entries with ids from `count` to 1, read as the stores do. */
function listOf(count: number) {
  const asked: (number | undefined)[] = [];
  const read = async (before: number | undefined) => {
    asked.push(before);
    const first = (before ?? count + 1) - 1;
    const entries = Array.from({ length: Math.min(perChunk, first) }, (_, index) => ({ id: first - index }));
    return { rows: entries.map(({ id }) => [id]), before: nextBefore(entries) };
  };
  return { asked, read };
}

it.each([0, 1, perChunk - 1, perChunk, perChunk + 1, 3 * perChunk])(
  'a file has all %i entries that match, read in parts (ACT-006, AUDIT-005)',
  async (count) => {
    const { asked, read } = listOf(count);
    const lines = (await text(Readable.from(csvParts(['id'], read)))).split('\r\n').filter((line) => line !== '');
    expect(lines).toEqual(['"id"', ...Array.from({ length: count }, (_, index) => String(count - index))]);
    expect(asked).toHaveLength(Math.floor(count / perChunk) + 1);
  },
);

it('others have their turn between two parts of a file (EDGE-022)', async () => {
  const { asked, read } = listOf(5 * perChunk);
  const seen: number[] = [];
  const reading = text(Readable.from(csvParts(['id'], read)));
  while (asked.length < 6) {
    seen.push(asked.length);
    await nextTurn();
  }
  await reading;
  // Read at once, there would be no turn at which some parts were read and others not.
  expect(new Set(seen).size).toBeGreaterThan(3);
});
