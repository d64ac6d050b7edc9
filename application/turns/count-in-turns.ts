import { nextTurn } from '#application/turns/next-turn.ts';

/**
 * Runs `act` for each item, for at most `atOnce` of them concurrently and with a turn of the event loop after each;
 * returns how often it resolved with true.
 */
export async function countInTurns<Item>(
  items: Iterable<Item>,
  atOnce: number,
  act: (item: Item) => Promise<boolean>,
): Promise<number> {
  const waiting = items[Symbol.iterator]();
  let count = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      if (await act(next.value)) count += 1;
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count;
}
