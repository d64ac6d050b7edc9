import { beforeEach, describe, expect, it } from 'vitest';
import { BudgetShares } from '#adapters/services/limits/budget-shares.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import { Town } from '#test/doubles/town.ts';

const budget = { name: 'minute', points: 20, windowMs: 60_000, cost: 1 };
const connection = '1:tracker';

let town: Town;
let now: number;
const serverIn = (id: string) =>
  new ConnectionLimits({ maxWaitMs: 0, shares: new BudgetShares(town.join(id), () => now) });
/** How many of so many requests the server sends. */
const sent = async (server: ConnectionLimits, tries: number, over = connection): Promise<number> => {
  let count = 0;
  for (let index = 0; index < tries; index += 1) if ((await server.take(over, [budget])) === null) count += 1;
  return count;
};

beforeEach(() => {
  town = new Town();
  now = 0;
});

describe('servers that use one connection', () => {
  it('stay within its budget together, in turns or at once (LIMIT-011)', async () => {
    const servers = ['a', 'b'].map(serverIn);
    const sentByEach = [0, 0];
    for (let turn = 0; turn < 30; turn += 1) {
      for (const [index, server] of servers.entries())
        sentByEach[index] = (sentByEach[index] ?? 0) + (await sent(server, 1));
      now += 100;
    }
    expect(sentByEach).toEqual([11, 9]);
  });

  it('leave all of it to the only one that uses it, and get it back once the others are idle (LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    expect(await sent(first, 30, '2:tracker')).toBe(20);
    expect(await sent(second, 1)).toBe(1);
    expect(await sent(first, 30)).toBe(10);
    now = 15_001;
    expect(await sent(first, 30)).toBe(9);
  });

  it.each([
    [20, 3],
    [2, 5],
    [3, 3],
  ])(
    'use up a budget of %i points together, neither less nor more, when they are %i (LIMIT-011)',
    async (points, of) => {
      const servers = Array.from({ length: of }, (_, index) => serverIn(`server-${index}`));
      const few = { ...budget, points };
      let count = 0;
      for (let turn = 0; turn < points + 5; turn += 1) {
        const answers = await Promise.all(servers.map((server) => server.take(connection, [few])));
        count += answers.filter((answer) => answer === null).length;
      }
      expect(count).toBe(points);
    },
  );

  it('share the concurrent calls (LIMIT-011)', async () => {
    const servers = ['a', 'b'].map(
      (id) => new ConnectionLimits({ shares: new BudgetShares(town.join(id), () => now) }),
    );
    let running = 0;
    let most = 0;
    const call = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return 'done';
    };
    for (const server of servers) await server.take(connection, [budget]);
    await Promise.all(Array.from({ length: 8 }, async (_, index) => servers[index % 2]?.run(connection, 2, call)));
    expect(most).toBeLessThanOrEqual(2);
  });

  it('report their use now and then, and not with each request (LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    for (let index = 0; index < 500; index += 1) {
      await sent(first, 1);
      await sent(second, 1);
    }
    expect(town.sent).toBeLessThanOrEqual(4);
  });

  it('correct their share by what the provider reports as left for all (LIMIT-006, LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    await sent(first, 1);
    await sent(second, 1);
    await first.correct(connection, [budget], [{ name: 'minute', remaining: 6, resetsInMs: 60_000 }]);
    expect(await sent(first, 30)).toBe(3);
  });

  it('share what is left when one joins that had used more than its share (LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    expect(await sent(first, 14)).toBe(14);
    // The second has not heard of the first when it begins.
    expect(await sent(second, 1)).toBe(1);
    now = 600;
    expect([await sent(first, 30), await sent(second, 30)]).toEqual([3, 2]);
  });

  it('redistribute what is left while one uses more than another (LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    let [ofFirst, ofSecond] = [0, 0];
    for (let turn = 0; turn < 5; turn += 1) {
      ofSecond += await sent(second, 1);
      ofFirst += await sent(first, 30);
      now += 5_100;
    }
    expect(ofSecond).toBeGreaterThan(2);
    expect(ofFirst).toBeGreaterThan(12);
    expect(ofFirst + ofSecond).toBeLessThanOrEqual(20);
  });

  it('redistribute what the provider reported as left when one joins later (LIMIT-006, LIMIT-011)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    const day = { name: 'daily_requests', points: 1_000_000, windowMs: 86_400_000, cost: 1 };
    expect(await first.take(connection, [day])).toBeNull();
    await first.correct(connection, [day], [{ name: 'daily_requests', remaining: 100, resetsInMs: 3_600_000 }]);
    expect(await second.take(connection, [day])).toBeNull();
    let count = 0;
    while ((await first.take(connection, [day])) === null) count += 1;
    expect(count).toBe(50);
  });

  it('all pause when one is refused (LIMIT-012)', async () => {
    const [first, second] = ['a', 'b'].map(serverIn);
    if (first === undefined || second === undefined) throw new Error('There are two');
    first.publishRejection(connection, 3_000);
    expect(await second.take(connection, [budget])).toEqual({ kind: 'no_room', retryAfterMs: 3_000 });
    expect(await second.take('2:tracker', [budget])).toBeNull();
    now = 3_000;
    expect(await second.take(connection, [budget])).toBeNull();
    first.publishRejection(connection, 3_600_000);
    expect(await second.take(connection, [budget])).toEqual({ kind: 'no_room', retryAfterMs: 60_000 });
  });
});
