import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Slots } from '#application/webhooks/slots.ts';
import { failed } from '#domain/operations/outcome.ts';
import { DeliveryWork, down } from '#test/support/webhooks/delivery-work.ts';

const second = 1_000;
const hour = 3_600 * second;

let work: DeliveryWork;

beforeEach(() => {
  work = new DeliveryWork();
});

it('deliveries of other senders are claimed together while one sender has nearly its share (INBOX-025)', async () => {
  work.treatment.vault = 'is slow';
  await work.keep('sales_crm', 'note', 7);
  const drain = work.process();
  await work.settle(drain);
  for (const from of ['sales_crm', 'signing', 'tracker'] as const) await work.keep(from, 'note', 5);
  const claim = vi.spyOn(work.inbox, 'claim');
  expect(await drain.fill()).toBe(11);
  expect(claim).toHaveBeenCalledOnce();
});

describe('while one service hangs', () => {
  it('deliveries that call another are done, including those of the same sender (INBOX-006)', async () => {
    work.treatment.suite_crm = 'hangs';
    await work.keep('sales_crm', 'push', 40);
    await work.keep('sales_crm', 'note', 40);
    await work.keep('tracker', 'note', 40);
    await work.settle(work.process());
    expect(await work.ids('done')).toHaveLength(80);
    expect(await work.ids('leased')).toHaveLength(8);
  });

  it('the vault itself, pushes continue', async () => {
    work.treatment.vault = 'hangs';
    for (const from of ['tracker', 'signing', 'sales_crm', 'suite_crm'] as const) await work.keep(from, 'note', 40);
    await work.keep('sales_crm', 'push', 40);
    await work.settle(work.process());
    expect(await work.ids('done')).toHaveLength(40);
    expect(work.atOnce.vault).toBe(24);
  });

  it('deliveries whose target is unknown wait separately', async () => {
    work.treatment.suite_crm = 'hangs';
    await work.keep('sales_crm', 'push', 40, false);
    await work.keep('sales_crm', 'note', 40, false);
    await work.settle(work.process());
    expect(await work.ids('done')).toHaveLength(40);
    expect(work.atOnce.suite_crm).toBe(8);
  });

  it('a free slot claims at once, without waiting for the end of a round', async () => {
    work.treatment.suite_crm = 'hangs';
    const drain = work.process('a', { all: 2, service: 2, lane: 1 });
    await work.keep('sales_crm', 'push', 1);
    await work.settle(drain);
    await work.keep('tracker', 'note', 20);
    await work.settle(drain);
    expect(await work.ids('done')).toHaveLength(20);
  });

  it('no service uses more than its share', async () => {
    const drain = work.process('a', { all: 6, service: 3, lane: 2 });
    for (const from of ['tracker', 'signing', 'sales_crm'] as const) await work.keep(from, 'note', 9);
    await drain.run();
    expect(work.atOnce.vault).toBe(3);
    expect(await work.ids('done')).toHaveLength(27);
  });
});

describe('a service that is down', () => {
  beforeEach(async () => {
    work.treatment.suite_crm = down;
    await work.keep('sales_crm', 'push', 40);
  });

  it('is soon recognized as such: other deliveries wait without using an attempt (INBOX-007)', async () => {
    await work.process().run();
    expect(work.tried.length).toBeLessThanOrEqual(8);
    const waiting = await work.inbox.list({ state: 'pending', limit: 100 });
    expect(waiting).toHaveLength(40);
    expect(waiting.filter(({ attempts }) => attempts === 0).length).toBeGreaterThanOrEqual(38);
  });

  it('is probed by one delivery at a time, each time by another (INBOX-007)', async () => {
    const drain = work.process();
    await drain.run();
    const before = work.tried.length;
    for (let turn = 0; turn < 10; turn += 1) {
      work.clock.advance(4 * second);
      await drain.run();
    }
    const probes = work.tried.slice(before);
    expect(probes.length).toBeGreaterThanOrEqual(8);
    expect(probes.length).toBeLessThanOrEqual(10);
    expect(new Set(probes).size).toBeGreaterThan(5);
  });

  it('gets all of them as soon as one succeeds, within seconds of its return', async () => {
    const drain = work.process();
    await drain.run();
    work.clock.advance(hour);
    await drain.run();
    work.treatment.suite_crm = 'works';
    work.clock.advance(4 * second);
    await drain.run();
    work.clock.advance(second);
    await drain.run();
    expect(await work.ids('done')).toHaveLength(40);
  });

  it('for days makes no delivery fail (INBOX-007)', async () => {
    const drain = work.process();
    for (let turn = 0; turn < 72; turn += 1) {
      await drain.run();
      work.clock.advance(hour);
    }
    expect(await work.ids('dead')).toEqual([]);
    work.treatment.suite_crm = 'works';
    await drain.run();
    work.clock.advance(second);
    await drain.run();
    expect(await work.ids('done')).toHaveLength(40);
  });

  it('is probed first by the next process, too, which has not seen it fail', async () => {
    await work.process().run();
    work.tried.length = 0;
    work.clock.advance(hour);
    const next = work.process('b');
    await next.run();
    expect(work.tried).toHaveLength(1);
    work.treatment.suite_crm = 'works';
    work.clock.advance(4 * second);
    await next.run();
    work.clock.advance(second);
    await next.run();
    expect(await work.ids('done')).toHaveLength(40);
  });

  it('is not assumed when only some deliveries fail on it: the others succeed', async () => {
    work.treatment.suite_crm = 'works';
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) work.poison.add(id);
    const drain = work.process();
    for (let turn = 0; turn < 40; turn += 1) {
      await drain.run();
      work.clock.advance(4 * second);
    }
    expect(await work.ids('done')).toHaveLength(31);
  });
});

describe('a delivery that fails on its own', () => {
  it('has failed after a day, and leaves the service to the others', async () => {
    await work.keep('tracker', 'note', 1);
    work.poison.add('1');
    const drain = work.process();
    for (let turn = 0; turn < 26; turn += 1) {
      await drain.run();
      await work.keep('tracker', 'note', 1);
      await drain.run();
      work.clock.advance(hour);
    }
    expect(await work.ids('dead')).toEqual(['1']);
    expect(await work.ids('done')).toHaveLength(26);
  });
});

describe('a service that asks for a pause', () => {
  const limited = (retryAfterMs: number) => failed('rate_limited', 'Too many requests.', { retryAfterMs });

  it('is not called sooner by the same delivery, also when another one succeeded meanwhile (INBOX-012)', async () => {
    work.treatment.suite_crm = limited(600 * second);
    await work.keep('sales_crm', 'push', 1);
    const drain = work.process();
    await drain.run();
    work.treatment.suite_crm = 'works';
    await work.keep('sales_crm', 'push', 5);
    work.clock.advance(60 * second);
    await drain.run();
    expect(await work.ids('done')).toEqual(['2', '3', '4', '5', '6']);
    work.clock.advance(539 * second);
    await drain.run();
    expect(await work.ids('pending')).toEqual(['1']);
    work.clock.advance(second);
    await drain.run();
    expect(await work.ids('pending')).toEqual([]);
  });

  it('is left alone by the others, too, for as long as it says, but at most a minute', async () => {
    work.treatment.suite_crm = limited(10 * second);
    await work.keep('sales_crm', 'push', 1);
    const drain = work.process();
    await drain.run();
    await work.keep('sales_crm', 'push', 5);
    work.clock.advance(9 * second);
    await drain.run();
    expect(work.tried).toEqual(['1']);
    work.treatment.suite_crm = 'works';
    work.clock.advance(second);
    await drain.run();
    expect(await work.ids('pending')).toEqual([]);
  });

  it('for more than an hour is called again after an hour (INBOX-012)', async () => {
    work.treatment.suite_crm = limited(48 * hour);
    await work.keep('sales_crm', 'push', 1);
    const drain = work.process();
    await drain.run();
    work.treatment.suite_crm = 'works';
    work.clock.advance(hour);
    await drain.run();
    expect(await work.ids('done')).toEqual(['1']);
  });
});

describe('a connection that cannot be used', () => {
  it('keeps its deliveries waiting without attempts, until it can be used again (INBOX-011)', async () => {
    work.reasonsToWait.set('vault', 'The vault refused the key.');
    await work.keep('tracker', 'note', 20);
    await work.keep('tracker', 'note', 5, false);
    const drain = work.process();
    for (let turn = 0; turn < 30; turn += 1) {
      await drain.run();
      work.clock.advance(hour);
    }
    expect(work.tried).toEqual([]);
    expect(await work.ids('dead')).toEqual([]);
    work.reasonsToWait.clear();
    await drain.run();
    expect(await work.ids('done')).toHaveLength(25);
  });

  it('and breaks during an attempt uses up no attempt of that delivery', async () => {
    work.treatment.vault = failed('unauthorized', 'The vault refused the key.');
    await work.keep('tracker', 'note', 1);
    const drain = work.process();
    const run = drain.run();
    work.reasonsToWait.set('vault', 'The vault refused the key.');
    await run;
    expect(await work.inbox.find(1)).toMatchObject({ state: 'pending', attempts: 0, failingSince: null });
  });
});

describe('while the automation user is deactivated', () => {
  const reason = 'The automation user is deactivated.';

  it('nothing is attempted, whatever it calls, and everything is done afterwards (REACT-013)', async () => {
    work.reasonToPause = reason;
    await work.keep('tracker', 'note', 5);
    await work.keep('sales_crm', 'push', 5, false);
    const drain = work.process();
    for (let turn = 0; turn < 30; turn += 1) {
      await drain.run();
      work.clock.advance(hour);
    }
    expect(work.tried).toEqual([]);
    work.reasonToPause = null;
    await drain.run();
    expect(await work.ids('done')).toHaveLength(10);
  });

  it('what was started before waits, too, without using an attempt (REACT-013)', async () => {
    await work.keep('tracker', 'note', 1);
    const run = work.process().run();
    work.reasonToPause = reason;
    await run;
    expect(work.tried).toEqual([]);
    expect(await work.inbox.find(1)).toMatchObject({ state: 'pending', attempts: 0, failingSince: null });
  });
});

describe('a stop', () => {
  it('lets running work finish', async () => {
    await work.keep('tracker', 'note', 5);
    const drain = work.process();
    await drain.fill();
    await drain.stop(new AbortController().signal);
    expect(await work.ids('done')).toHaveLength(5);
  });

  it('aborts what hangs when its time is over, and the next process has it at once without using an attempt (INBOX-010)', async () => {
    work.treatment.suite_crm = 'hangs';
    await work.keep('sales_crm', 'push', 3);
    const drain = work.process();
    await work.settle(drain);
    await drain.stop(AbortSignal.abort());
    expect(await work.inbox.list({ state: 'pending', limit: 10 })).toMatchObject(
      Array.from({ length: 3 }, () => ({ attempts: 0, failingSince: null, error: null, leaseOwner: null })),
    );
    work.treatment.suite_crm = 'works';
    await work.process('b').run();
    expect(await work.ids('done')).toHaveLength(3);
  });

  it('starts nothing new', async () => {
    const drain = work.process();
    await drain.stop(AbortSignal.abort());
    await work.keep('tracker', 'note', 1);
    expect(await drain.fill()).toBe(0);
  });
});

describe('the slots of a lane', () => {
  const [notes, pushes] = [
    { from: 'tracker', calls: 'vault' },
    { from: 'sales_crm', calls: 'suite_crm' },
  ] as const;

  it('that was full are half free when as many of its entries have ended, whatever other lanes hold', () => {
    const slots = new Slots({ all: 32, service: 24, lane: 3 });
    const held = [1, 2, 3].map((seq) => ({ seq }));
    for (const entry of held) slots.take(entry, notes);
    for (const seq of [4, 5, 6]) slots.take({ seq }, pushes);
    slots.filled([notes, pushes]);
    const states = held.map((entry) => {
      slots.free(entry);
      return slots.isHalfFree();
    });
    expect(states).toEqual([false, true, true]);
  });

  it('that had room are not counted: all that was due has been claimed', () => {
    const slots = new Slots({ all: 32, service: 24, lane: 3 });
    const entry = { seq: 1 };
    slots.take(entry, notes);
    slots.filled([notes, pushes]);
    slots.free(entry);
    expect(slots.isHalfFree()).toBe(false);
  });

  it('are left to notes while a server that is short of processor time has as many pushes in flight as it may (INBOX-020)', () => {
    const shares = { all: 32, service: 24, lane: 8 };
    const slots = new Slots(shares, undefined, () => ({ all: 32, alike: 2 }));
    for (const seq of [1, 2]) slots.take({ seq }, pushes);
    expect([slots.room(pushes), slots.room(notes)]).toEqual([0, 2]);
    expect(slots.offer([notes, pushes])).toEqual({ limit: 2, lanes: [{ ...notes, most: 2 }] });
  });
});
