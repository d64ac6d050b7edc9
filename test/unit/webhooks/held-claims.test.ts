import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClaims } from '#application/webhooks/held-claims.ts';
import { elapsedClock } from '#infrastructure/time/elapsed-clock.ts';
import { DeliveryWork } from '#test/support/webhooks/delivery-work.ts';

let now: number;
beforeEach(() => {
  now = 1_000;
});

describe('held claims', () => {
  it('expire at their time, are counted once, and end the work on them', () => {
    let lost = 0;
    const claims = new HeldClaims(
      () => now,
      () => {
        lost += 1;
      },
    );
    const hold = claims.begin(11_000);
    now = 10_999;
    expect([hold.isHeld(), hold.signal.aborted]).toEqual([true, false]);
    now = 11_000;
    expect([hold.isHeld(), hold.signal.aborted]).toEqual([false, true]);
    expect([hold.isHeld(), claims.held().length, lost]).toEqual([false, 0, 1]);
    hold.end();
  });

  it('are extended while they are held, and never after they expired', () => {
    const claims = new HeldClaims(() => now);
    const hold = claims.begin(11_000);
    now = 9_000;
    claims.extend(claims.held(), 18_000);
    now = 17_999;
    expect(hold.isHeld()).toBe(true);
    now = 18_000;
    expect(claims.held()).toEqual([]);
    claims.extend([hold], 28_000);
    expect(hold.isHeld()).toBe(false);
    hold.end();
  });

  it('are all released at a stop', () => {
    const claims = new HeldClaims(() => now);
    const holds = [1, 2].map(() => claims.begin(now + 10_000));
    expect(holds.map(({ cut }) => cut.aborted)).toEqual([false, false]);
    claims.giveUp();
    expect(holds.map((hold) => [hold.signal.aborted, hold.cut.aborted, hold.isHeld()])).toEqual([
      [true, true, false],
      [true, true, false],
    ]);
    for (const hold of holds) hold.end();
  });
});

describe('a process that was frozen while another took over', () => {
  it('aborts its work, whose results are discarded (INBOX-019)', async () => {
    const work = new DeliveryWork();
    work.treatment.suite_crm = 'hangs';
    await work.keep('sales_crm', 'push', 2);
    const still = work.process('a', undefined, () => now);
    await work.settle(still);
    expect(await work.ids('leased')).toHaveLength(2);

    now += 30_000;
    work.clock.advance(30_000);
    work.treatment.suite_crm = 'works';
    await work.process('b').run();
    expect(await work.ids('done')).toHaveLength(2);

    await still.keepLeases();
    await still.stop(new AbortController().signal);
    expect(await work.inbox.list({ limit: 10 })).toMatchObject([
      { state: 'done', attempts: 2, outcome: 'done' },
      { state: 'done', attempts: 2, outcome: 'done' },
    ]);
    expect(work.tried).toHaveLength(4);
  });
});

describe('a process that claims an entry again', () => {
  it('keeps the new claim when a request under the lost one is answered (INBOX-019)', async () => {
    const work = new DeliveryWork();
    work.treatment.suite_crm = 'is slow';
    await work.keep('sales_crm', 'push', 1);
    const drain = work.process('a', { all: 8, service: 8, lane: 8 }, () => now);
    await work.settle(drain);
    now += 30_000;
    work.clock.advance(30_000);
    await drain.keepLeases();
    await work.settle(drain);
    expect(work.slow).toHaveLength(2);
    work.slow[0]?.();
    await work.settle(drain);
    expect(await work.inbox.list({ limit: 1 })).toMatchObject([{ state: 'leased', attempts: 2 }]);
    now += 10_000;
    work.clock.advance(10_000);
    await drain.keepLeases();
    now += 10_000;
    work.clock.advance(10_000);
    await work.settle(drain);
    expect(work.slow).toHaveLength(2);
    work.slow[1]?.();
    await work.settle(drain);
    expect(await work.ids('done')).toHaveLength(1);
  });
});

describe('a clock of elapsed time', () => {
  it('uses the one of two clocks that shows more, and never goes back', () => {
    let [steady, wall] = [0, 1_000_000];
    const elapsed = elapsedClock({ steady: () => steady, wall: () => wall });
    steady = 10;
    wall += 10;
    expect(elapsed()).toBe(10);
    wall += 30_000;
    expect(elapsed()).toBe(30_010);
    wall -= 3_600_000;
    steady += 5;
    expect(elapsed()).toBe(30_015);
  });
});
