import { beforeEach, describe, expect, it } from 'vitest';
import { HeldClaims } from '#application/webhooks/held-claims.ts';
import { elapsedClock } from '#infrastructure/time/elapsed-clock.ts';
import { DeliveryWork } from '#test/support/webhooks/delivery-work.ts';

let now: number;
beforeEach(() => {
  now = 1_000;
});

describe('claims that are held', () => {
  it('run out by the time before they were asked for, and break off what works on them', () => {
    const claims = new HeldClaims(10_000, () => now);
    const hold = claims.begin(1, 1_000);
    now = 10_999;
    expect([hold.isHeld(), hold.signal.aborted]).toEqual([true, false]);
    now = 11_000;
    expect([hold.isHeld(), hold.signal.aborted]).toEqual([false, true]);
    claims.end(1);
  });

  it('are extended while they are held, and never after they ran out', () => {
    const claims = new HeldClaims(10_000, () => now);
    const hold = claims.begin(1, 1_000);
    now = 9_000;
    claims.extend(claims.held(), 8_000);
    now = 17_999;
    expect(hold.isHeld()).toBe(true);
    now = 18_000;
    expect(claims.held()).toEqual([]);
    claims.extend([1], 18_000);
    expect(hold.isHeld()).toBe(false);
    claims.end(1);
  });

  it('are all given up at a stop', () => {
    const claims = new HeldClaims(10_000, () => now);
    const holds = [1, 2].map((seq) => claims.begin(seq, now));
    claims.giveUp();
    expect(holds.map(({ signal, isHeld }) => signal.aborted || isHeld())).toEqual([true, true]);
    for (const seq of [1, 2]) claims.end(seq);
  });
});

describe('a process that stood still while another took over', () => {
  it('breaks off its work, and what it stores of it counts for nothing (INBOX-014)', async () => {
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

describe('a clock of what has passed', () => {
  it('believes the one of the two clocks that says more, and never goes back', () => {
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
