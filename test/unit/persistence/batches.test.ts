import { describe, expect, it } from 'vitest';
import { Batches } from '#adapters/persistence/batches.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';

/** Batches of numbers that are doubled; a negative one fails the whole batch that it is in. */
function doubling(failure: (item: number) => Error = (item) => new Error(`bad ${item}`)) {
  const runs: (readonly number[])[] = [];
  const batches = new Batches<number, number>(async (items) => {
    runs.push(items);
    const bad = items.find((item) => item < 0);
    if (bad !== undefined) throw failure(bad);
    return items.map((item) => item * 2);
  }, 10);
  return { runs, batches };
}

describe('a batch', () => {
  it('runs together what is requested at the same time', async () => {
    const { runs, batches } = doubling();
    expect(await Promise.all([1, 2, 3].map((item) => batches.add(item)))).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  it('that fails is retried item by item, so that only the bad one fails', async () => {
    const { batches } = doubling();
    const settled = await Promise.allSettled([1, -2, 3].map((item) => batches.add(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: new Error('bad -2') });
  });

  it('that meets an unavailable database fails at once, as a whole', async () => {
    const { runs, batches } = doubling(() => new DatabaseUnavailable('full', new Error('disk is full')));
    const settled = await Promise.allSettled([1, -2, 3].map((item) => batches.add(item)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toHaveLength(1);
  });

  it('continues after a failed one', async () => {
    const { batches } = doubling();
    await expect(batches.add(-1)).rejects.toThrow('bad -1');
    expect(await batches.add(4)).toBe(8);
  });
});
