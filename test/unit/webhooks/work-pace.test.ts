import { beforeEach, describe, expect, it } from 'vitest';
import { WorkPace } from '#application/webhooks/work-pace.ts';
import { DeliveryWork } from '#test/support/webhooks/delivery-work.ts';

const timing = { leaseMs: 3_200, maxLeaseMs: 30_000, renewMs: 1_000 };
const calm = () => ({ busy: 0.1, cores: 0.1 });
const starved = () => ({ busy: 1, cores: 0.05 });
let pace: WorkPace;
beforeEach(() => {
  pace = new WorkPace(timing, 32);
});

const times = (count: number, run: () => unknown) => {
  for (let left = count; left > 0; left -= 1) run();
};

describe('the number of concurrent claims', () => {
  it('is halved by lost leases, once for those that are lost together, and stays at least one (INBOX-020)', () => {
    times(24, () => pace.lost(10_000));
    expect(pace.limit).toBe(16);
    pace.lost(10_900);
    expect(pace.limit).toBe(16);
    for (let at = 11_000; at < 20_000; at += 1_000) pace.lost(at);
    expect(pace.limit).toBe(1);
  });

  it('grows by one with each attempt that ends in time, up to all slots (INBOX-020)', () => {
    pace.lost(0);
    pace.lost(1_000);
    expect(pace.limit).toBe(8);
    times(3, () => pace.kept());
    expect(pace.limit).toBe(11);
    times(100, () => pace.kept());
    expect(pace.limit).toBe(32);
  });

  it('is at most six alike while the server is short of processor time (INBOX-020)', () => {
    times(3, () => pace.extended(1_000, starved));
    expect([pace.limit, pace.limitAlike]).toEqual([32, 6]);
    times(4, () => pace.extended(1_000, calm));
    expect([pace.limit, pace.limitAlike]).toEqual([32, 32]);
  });
});

describe('the number of concurrent claims of a server that is short of processor time', () => {
  const waiting = () => ({ busy: 0.85, cores: 0.1 });

  it('grows while its event loop is idle for some of the time, up to 16, and falls again (INBOX-020)', () => {
    times(3, () => pace.extended(1_000, starved));
    expect(pace.limitAlike).toBe(6);
    times(2, () => pace.extended(1_000, waiting));
    expect(pace.limitAlike).toBe(10);
    times(9, () => pace.extended(1_000, waiting));
    expect(pace.limitAlike).toBe(16);
    pace.extended(1_000, starved);
    expect(pace.limitAlike).toBe(14);
    times(9, () => pace.extended(1_000, starved));
    expect(pace.limitAlike).toBe(6);
  });
});

describe('a lease', () => {
  it('has its usual length while leases are extended in time', () => {
    times(20, () => pace.extended(1_060, calm));
    expect(pace.leaseMs).toBe(3_200);
  });

  it('grows with the time between two extensions, within a bound, and shrinks again (INBOX-020)', () => {
    pace.extended(4_000, calm);
    expect(pace.leaseMs).toBe(12_000);
    pace.extended(1_000, calm);
    expect(pace.leaseMs).toBe(10_800);
    pace.extended(60_000, calm);
    expect(pace.leaseMs).toBe(30_000);
    times(60, () => pace.extended(1_000, calm));
    expect(pace.leaseMs).toBe(3_200);
  });
});

describe('receiving deliveries', () => {
  it('is not limited for a server that has a whole core, little to do, or was stopped once (INBOX-021)', () => {
    for (const load of [
      { busy: 1, cores: 0.9 },
      { busy: 0.5, cores: 0.05 },
    ]) {
      times(9, () => pace.extended(1_000, () => load));
      expect(pace.isShort).toBe(false);
    }
    pace.extended(4_000, starved);
    expect(pace.isShort).toBe(false);
  });

  it('is limited for one that is always busy and gets little processor time, until it gets more (INBOX-021)', () => {
    times(3, () => pace.extended(1_000, starved));
    expect(pace.isShort).toBe(true);
    times(9, () => pace.extended(1_000, starved));
    times(3, () => pace.extended(1_000, calm));
    expect(pace.isShort).toBe(true);
    pace.extended(1_000, () => ({ busy: 1, cores: 0.6 }));
    expect(pace.isShort).toBe(false);
  });

  it('is limited the sooner, the longer the periods are in which there was little time (INBOX-021)', () => {
    times(2, () => pace.extended(1_500, starved));
    expect(pace.isShort).toBe(true);
  });

  it('is not limited by what happens between two extensions in quick succession', () => {
    times(9, () => pace.extended(20, starved));
    expect(pace.isShort).toBe(false);
  });

  it('is then limited to one for each attempt that ends, and another one in five seconds (INBOX-021)', () => {
    const received = (now: number) => {
      let count = 0;
      while (pace.mayReceive(now)) count += 1;
      return count;
    };
    expect(received(1_000_000)).toBe(50);
    times(4, () => pace.kept());
    expect(received(1_000_000)).toBe(4);
    expect(received(1_017_500)).toBe(3);
    expect(received(1_017_500)).toBe(0);
    times(100, () => pace.kept());
    expect(received(1_017_500)).toBe(50);
    pace.notReceived();
    expect(received(1_017_500)).toBe(1);
  });

  it('is refused once the allowance is used up, only while the server is short (INBOX-021)', () => {
    times(50, () => pace.mayReceive(1_000_000));
    expect(pace.isFull(1_000_000)).toBe(false);
    times(3, () => pace.extended(1_000, starved));
    expect(pace.isFull(1_000_000)).toBe(true);
    expect(pace.isFull(1_005_000)).toBe(false);
  });
});

describe('making calls', () => {
  /** How many of 30 calls are made that arrive together. */
  const made = (now: number) => Array.from({ length: 30 }, () => pace.mayCall(now)).filter(Boolean).length;
  const arrive = (count: number) => {
    times(count, () => pace.isFull(1_000_000) || pace.mayReceive(1_000_000));
  };

  it('is not limited for a server that has time, whatever becomes of deliveries (INBOX-026)', () => {
    arrive(60);
    pace.extended(5_000, calm);
    expect(made(1_000_000)).toBe(30);
  });

  it('is limited to as large a part of them as of the deliveries, and one a second (INBOX-026)', () => {
    times(3, () => pace.extended(1_000, starved));
    expect(made(1_000_000)).toBe(30);
    arrive(100);
    made(1_000_000);
    expect(made(1_000_000)).toBe(15);
    expect(made(1_001_000)).toBe(16);
    times(50, () => pace.kept());
    arrive(50);
    made(1_001_000);
    expect(made(1_001_000)).toBe(20);
  });

  it('is limited further by each period that lasts too long, and less by each that does not (INBOX-026)', () => {
    times(3, () => pace.extended(1_000, starved));
    times(5, () => pace.extended(2_000, starved));
    made(1_000_000);
    expect(made(1_000_000)).toBe(5);
    times(9, () => pace.extended(1_000, starved));
    made(1_000_000);
    expect(made(1_000_000)).toBe(30);
    times(60, () => pace.extended(9_000, starved));
    made(1_000_000);
    expect(made(1_000_000) + made(1_000_000)).toBe(3);
  });
});

describe('a process that loses leases', () => {
  it('claims fewer, and reports how many it lost (INBOX-020)', async () => {
    let now = 1_000;
    const work = new DeliveryWork();
    work.treatment.vault = 'is slow';
    await work.keep('tracker', 'note', 40);
    const drain = work.process('a', { all: 8, service: 8, lane: 8 }, () => now);
    await work.settle(drain);
    expect(work.slow).toHaveLength(8);
    now += 30_000;
    work.clock.advance(30_000);
    await drain.keepLeases();
    for (const answer of work.slow.splice(0)) answer();
    await work.settle(drain);
    expect(work.lost).toBe(8);
    expect(work.slow).toHaveLength(4);
    for (let round = 0; round < 2; round += 1) {
      for (const answer of work.slow.splice(0)) answer();
      await work.settle(drain);
    }
    expect(work.slow).toHaveLength(8);
  });

  it('extends its leases before it claims more (INBOX-020)', async () => {
    let now = 1_000;
    const work = new DeliveryWork();
    work.treatment.vault = 'is slow';
    await work.keep('tracker', 'note', 1);
    const drain = work.process('a', undefined, () => now);
    await work.settle(drain);
    now += 12_000;
    work.clock.advance(12_000);
    await work.settle(drain);
    now += 10_000;
    work.clock.advance(10_000);
    await drain.keepLeases();
    expect([work.lost, work.slow.length]).toEqual([0, 1]);
  });
});
