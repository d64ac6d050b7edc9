import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Budget } from '#adapters/services/definitions/dialect.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';

const burst: Budget = { name: 'burst', points: 3, windowMs: 2_000, cost: 1 };
const daily: Budget = { name: 'daily', points: 5, windowMs: 86_400_000, cost: 1 };

describe('the providers’ rate limits, applied on this side', () => {
  let pauses: number[];
  let limits: ConnectionLimits;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    pauses = [];
    limits = new ConnectionLimits({ maxWaitMs: 10_000, pause });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    pauses.push(ms);
    await vi.advanceTimersByTimeAsync(ms);
    signal?.throwIfAborted();
  };
  const take = (budgets: readonly Budget[] = [burst], connection = '1:sales_crm') => limits.take(connection, budgets);
  const takeTimes = async (times: number, budgets?: readonly Budget[]) => {
    for (let count = 0; count < times; count += 1) expect(await take(budgets)).toBeNull();
  };

  it('let a burst through and delay the next request (LIMIT-001)', async () => {
    await takeTimes(3);
    expect(pauses).toEqual([]);
    expect(await take()).toBeNull();
    expect(pauses).toEqual([2_000]);
  });

  it('say what is left of the long ones, of as many as known, until they are whole again (PAGE-025)', async () => {
    expect(await limits.leftOf(1, 'sales_crm')).toEqual([]);
    await takeTimes(2, [burst, daily]);
    const left = { name: 'daily', points: 5, left: 3, resetsInMs: daily.windowMs };
    expect(await limits.leftOf(1, 'sales_crm')).toEqual([left]);
    expect(await limits.leftOf(2, 'sales_crm')).toEqual([]);
    await limits.correct('1:sales_crm', [daily], [{ name: 'daily', remaining: 2, resetsInMs: null }]);
    expect(await limits.leftOf(1, 'sales_crm')).toEqual([{ ...left, points: null, left: 2 }]);
    await limits.correct('1:sales_crm', [daily], [{ name: 'daily', remaining: 1, resetsInMs: null, limit: 50 }]);
    await takeTimes(1, [daily]);
    expect(await limits.leftOf(1, 'sales_crm')).toEqual([{ ...left, points: 50, left: 0 }]);
    await vi.advanceTimersByTimeAsync(daily.windowMs);
    expect(await limits.leftOf(1, 'sales_crm')).toEqual([]);
  });

  it('delay nobody longer than the bound, beyond which the wait is reported (LIMIT-001)', async () => {
    await takeTimes(5, [daily]);
    expect(await take([daily])).toEqual({ kind: 'no_room', retryAfterMs: 86_400_000 });
    expect(pauses).toEqual([]);
  });

  it('are separate for each connection (LIMIT-010)', async () => {
    await takeTimes(3);
    expect(await take([burst], '2:sales_crm')).toBeNull();
    expect(await take([burst], '1:signing')).toBeNull();
    expect(pauses).toEqual([]);
  });

  it('are shared by connections with the same identity (LIMIT-013)', async () => {
    const shared: Budget = { ...daily, sharedBy: 'company:acme:sales_crm' };
    for (const connection of ['1:sales_crm', '2:sales_crm', '3:sales_crm', '4:sales_crm', '5:sales_crm'])
      expect(await take([shared], connection)).toBeNull();
    expect(await take([shared], '6:sales_crm')).toMatchObject({ kind: 'no_room' });
    expect(await take([{ ...shared, sharedBy: 'company:other:sales_crm' }], '6:sales_crm')).toBeNull();
    expect(await take([daily], '6:sales_crm')).toBeNull();
  });

  it('are shared by concurrent requests, too (LIMIT-013)', async () => {
    limits = new ConnectionLimits({ maxWaitMs: 0, pause });
    const shared: Budget = { ...daily, sharedBy: 'company:acme:sales_crm' };
    const taken = await Promise.all(Array.from({ length: 20 }, (_, user) => take([shared], `${user}:sales_crm`)));
    expect(taken.filter((noRoom) => noRoom === null)).toHaveLength(5);
  });

  it('charge all budgets or none', async () => {
    const search: Budget = { name: 'search', points: 1, windowMs: 3_600_000, cost: 1 };
    await takeTimes(1, [burst, search]);
    for (let count = 0; count < 5; count += 1) {
      expect(await take([burst, search])).toMatchObject({ kind: 'no_room' });
    }
    // Five refusals took nothing of the burst: two of three are left.
    await takeTimes(2);
    expect(pauses).toEqual([]);
  });

  it('count by cost', async () => {
    await takeTimes(2, [{ ...daily, cost: 2 }]);
    expect(await take([{ ...daily, cost: 2 }])).toMatchObject({ kind: 'no_room' });
    expect(await take([daily])).toBeNull();
  });

  it('hold for many concurrent requests', async () => {
    limits = new ConnectionLimits({ maxWaitMs: 0, pause });
    const taken = await Promise.all(Array.from({ length: 50 }, () => take([burst, daily])));
    expect(taken.filter((noRoom) => noRoom === null)).toHaveLength(3);
  });

  it('are corrected downwards by what the provider reports as left', async () => {
    await takeTimes(1);
    await limits.correct('1:sales_crm', [burst], [{ name: 'burst', remaining: 0, resetsInMs: 7_000 }]);
    expect(await take()).toBeNull();
    expect(pauses).toEqual([7_000]);
  });

  it('are not raised by a late answer that reports more left than counted', async () => {
    await takeTimes(3);
    await limits.correct('1:sales_crm', [burst], [{ name: 'burst', remaining: 2, resetsInMs: null }]);
    await take();
    expect(pauses).toEqual([2_000]);
  });

  it('are corrected upwards if the provider reports a greater limit', async () => {
    await takeTimes(1);
    await limits.correct('1:sales_crm', [burst], [{ name: 'burst', remaining: 9, resetsInMs: 2_000, limit: 10 }]);
    await takeTimes(9);
    expect(pauses).toEqual([]);
    await take();
    expect(pauses).toHaveLength(1);
  });

  it('are raised by a reported minimum, and never lowered by it', async () => {
    await takeTimes(3);
    const reported = { name: 'burst', resetsInMs: null, isAtLeast: true };
    await limits.correct('1:sales_crm', [burst], [{ ...reported, remaining: 2 }]);
    await takeTimes(2);
    expect(pauses).toEqual([]);
    await limits.correct('1:sales_crm', [burst], [{ ...reported, remaining: 0 }]);
    await take();
    expect(pauses).toEqual([2_000]);
  });

  it("are not changed by another connection's corrections", async () => {
    await limits.correct('1:sales_crm', [burst], [{ name: 'burst', remaining: 0, resetsInMs: 7_000, limit: 10 }]);
    for (let count = 0; count < 3; count += 1) expect(await take([burst], '2:sales_crm')).toBeNull();
    expect(pauses).toEqual([]);
    await take([burst], '2:sales_crm');
    expect(pauses).toEqual([2_000]);
  });

  it('begin no wait that would end after the caller has stopped waiting (OP-019)', async () => {
    await takeTimes(3);
    const endsAt = performance.now() + 1;
    expect(await limits.take('1:sales_crm', [burst], { endsAt })).toMatchObject({ kind: 'no_room' });
    expect(pauses).toEqual([]);
  });

  it('end a wait that is cancelled', async () => {
    await takeTimes(3);
    const cancel = new AbortController();
    cancel.abort();
    expect(await limits.take('1:sales_crm', [burst], { signal: cancel.signal })).toEqual({ kind: 'cancelled' });
    limits = new ConnectionLimits({
      pause: async () => {
        throw new Error('aborted');
      },
    });
    await takeTimes(3);
    expect(await take()).toEqual({ kind: 'cancelled' });
  });
});

describe('concurrent requests', () => {
  const limits = () => new ConnectionLimits({ maxWaitMs: 10_000 });
  /** A request that runs until it is ended. */
  const running = () => {
    let end = (): void => undefined;
    const ended = new Promise<string>((resolve) => {
      end = () => resolve('answer');
    });
    return { send: () => ended, end };
  };

  it('are limited for each connection', async () => {
    const own = limits();
    let atOnce = 0;
    let most = 0;
    const send = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return 'answer';
    };
    await Promise.all(Array.from({ length: 30 }, () => own.run('1:suite_crm', 5, send)));
    expect(most).toBe(5);
  });

  it('are counted separately for another connection', async () => {
    const own = limits();
    const slow = running();
    const first = own.run('1:suite_crm', 1, slow.send);
    expect(await own.run('2:suite_crm', 1, async () => 'other')).toBe('other');
    slow.end();
    expect(await first).toBe('answer');
  });

  it('that are cancelled while they wait are never sent, and delay nobody', async () => {
    const own = limits();
    const slow = running();
    const first = own.run('1:suite_crm', 1, slow.send);
    const cancel = new AbortController();
    let hasLeft = false;
    const waiting = own.run(
      '1:suite_crm',
      1,
      async () => {
        hasLeft = true;
        return 'waited';
      },
      cancel.signal,
    );
    const last = own.run('1:suite_crm', 1, async () => 'last');
    cancel.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    slow.end();
    expect([await first, await last, hasLeft]).toEqual(['answer', 'last', false]);
  });

  it('that wait too long fail with that reason, and a started one is never abandoned', async () => {
    const own = new ConnectionLimits({ maxWaitMs: 1 });
    const slow = running();
    const first = own.run('1:suite_crm', 1, slow.send);
    expect(await own.run('1:suite_crm', 1, async () => 'late')).toEqual({ kind: 'no_room', retryAfterMs: 1 });
    slow.end();
    expect(await first).toBe('answer');
  });

  it('that fail report their own error', async () => {
    const broken = async () => {
      throw new Error('broken');
    };
    await expect(limits().run('1:suite_crm', 1, broken)).rejects.toThrow('broken');
  });
});
