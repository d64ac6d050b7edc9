import { expect, it } from 'vitest';
import { countInTurns } from '#application/turns/count-in-turns.ts';

it('lets the event loop have a turn after each item, although none waits for anything', async () => {
  let turns = 0;
  let isOn = true;
  const turn = (): void => {
    turns += 1;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await countInTurns([1, 2, 3, 4, 5, 6], 2, async (item) => item % 2 === 0)).toBe(3);
  isOn = false;
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('has no more items under way than it may, and every item once', async () => {
  const [seen, counts]: [number[], number[]] = [[], []];
  let underWay = 0;
  await countInTurns(
    Array.from({ length: 20 }, (_, item) => item),
    3,
    async (item) => {
      underWay += 1;
      counts.push(underWay);
      seen.push(item);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay -= 1;
      return true;
    },
  );
  expect(seen.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, item) => item));
  expect(Math.max(...counts)).toBe(3);
});
