import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '#application/ports/clock.ts';
import type { EntryPlace, InboxEntry, NewInboxEntry, WebhookInboxStore } from '#application/ports/webhook-inbox.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';

/** An inbox to test, and how to throw it away. */
export type OpenInbox = (clock: Clock) => Promise<Readonly<{ inbox: WebhookInboxStore; close(): Promise<void> }>>;

const start = Date.UTC(2026, 0, 23, 12);
const claim = (owner = 'a', limit = 10) => ({ owner, leaseMs: 15_000, limit });

function entry(deliveryId: string, orderKey = `tracker:issue:${deliveryId}`): NewInboxEntry {
  return { service: 'tracker', deliveryId, orderKey, event: 'Issue.create', body: `{"id":"${deliveryId}"}` };
}

const placeOf = (seq: number): EntryPlace => ({ seq, service: 'tracker', deliveryId: String(seq) });
const ids = (entries: readonly InboxEntry[]) => entries.map(({ deliveryId }) => deliveryId);

/** What every webhook inbox does (INBOX-001 to INBOX-012). */
export function webhookInboxContract(name: string, open: OpenInbox): void {
  describe(`a webhook inbox (${name})`, () => {
    const clock = new SettableClock(start);
    let inbox: WebhookInboxStore;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ inbox, close } = await open(clock));
    });
    afterEach(() => close());

    async function claimOne(owner = 'a'): Promise<InboxEntry> {
      const [first] = await inbox.claim(claim(owner, 1));
      if (first === undefined) throw new Error('nothing to claim');
      return first;
    }

    it('ENTRIES-001 keeps a delivery id once', async () => {
      expect(await inbox.keep([entry('1')])).toBe(1);
      expect(await inbox.keep([entry('1', 'another:line')])).toBe(0);
      expect(ids(await inbox.list({ limit: 10 }))).toEqual(['1']);
    });

    it('ENTRIES-002 keeps the same id of two services apart', async () => {
      expect(await inbox.keep([entry('1'), { ...entry('1'), service: 'signing' }])).toBe(2);
    });

    it('ENTRIES-003 keeps an id once when many bring it at the same time', async () => {
      const kept = await Promise.all(Array.from({ length: 8 }, () => inbox.keep([entry('1')])));
      expect(kept.toSorted((left, right) => left - right)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    });

    it('ENTRIES-004 shows an entry as it was kept, and its body', async () => {
      await inbox.keep([entry('1')]);
      const [kept] = await inbox.list({ limit: 1 });
      expect(kept).toMatchObject({
        service: 'tracker',
        deliveryId: '1',
        orderKey: 'tracker:issue:1',
        event: 'Issue.create',
        state: 'pending',
        receivedAt: clock.now(),
        attempts: 0,
        error: null,
        outcome: null,
        failingSince: null,
        leaseOwner: null,
        finishedAt: null,
      });
      expect(await inbox.body(placeOf(kept?.seq ?? 0))).toBe('{"id":"1"}');
      expect(await inbox.find(kept?.seq ?? 0)).toEqual(kept);
      expect(await inbox.find(999)).toBeNull();
    });

    it('ENTRIES-005 hands out in the order of arrival, each entry to one claimant', async () => {
      await inbox.keep([entry('1'), entry('2'), entry('3')]);
      expect(ids(await inbox.claim(claim('a', 2)))).toEqual(['1', '2']);
      expect(ids(await inbox.claim(claim('b', 2)))).toEqual(['3']);
      expect(await inbox.claim(claim('c'))).toEqual([]);
    });

    it('ENTRIES-006 never hands one entry to two that claim at the same time (INBOX-009)', async () => {
      await inbox.keep(Array.from({ length: 20 }, (_, index) => entry(String(index))));
      const claimed = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((owner) => inbox.claim(claim(owner, 5))));
      const all = ids(claimed.flat());
      expect(new Set(all).size).toBe(all.length);
    });

    it('ENTRIES-007 hands out entries of one record one at a time (INBOX-002)', async () => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k'), entry('3', 'other')]);
      const [first, ...others] = await inbox.claim(claim());
      expect(ids([...(first ? [first] : []), ...others])).toEqual(['1', '3']);
      expect(await inbox.claim(claim('b'))).toEqual([]);
      if (first !== undefined) await inbox.end(first, { kind: 'done', outcome: 'created' });
      expect(ids(await inbox.claim(claim('b')))).toEqual(['2']);
    });

    it('ENTRIES-008 notes how an entry ended, and gives it out no more', async () => {
      await inbox.keep([entry('1'), entry('2')]);
      expect(await inbox.end(await claimOne(), { kind: 'done', outcome: 'created Issues/1.md' })).toBe(true);
      expect(await inbox.end(await claimOne(), { kind: 'ignored', outcome: 'no reaction' })).toBe(true);
      const [second, first] = await inbox.list({ limit: 10 });
      expect(first).toMatchObject({
        state: 'done',
        outcome: 'created Issues/1.md',
        finishedAt: clock.now(),
        attempts: 1,
      });
      expect(second).toMatchObject({ state: 'ignored', outcome: 'no reaction', leaseOwner: null });
      expect(await inbox.claim(claim())).toEqual([]);
    });

    it('ENTRIES-009 tries a failed entry again when its time has come, and holds up its record until then', async () => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
      await inbox.end(await claimOne(), { kind: 'retry', error: 'unavailable', delayMs: 5000, calls: null });
      expect(await inbox.claim(claim())).toEqual([]);
      clock.advance(4999);
      expect(await inbox.claim(claim())).toEqual([]);
      clock.advance(1);
      const again = await claimOne();
      expect(again).toMatchObject({
        deliveryId: '1',
        attempts: 2,
        error: 'unavailable',
        failingSince: clock.now() - 5000,
      });
    });

    it('ENTRIES-010 remembers since when an entry fails until it no longer does', async () => {
      await inbox.keep([entry('1')]);
      const since = clock.now();
      await inbox.end(await claimOne(), { kind: 'retry', error: 'one', delayMs: 10, calls: null });
      clock.advance(10);
      await inbox.end(await claimOne(), { kind: 'retry', error: 'two', delayMs: 10, calls: null });
      expect(await inbox.list({ limit: 1 })).toMatchObject([{ failingSince: since, error: 'two' }]);
      clock.advance(10);
      await inbox.end(await claimOne(), { kind: 'done', outcome: 'updated' });
      expect(await inbox.list({ limit: 1 })).toMatchObject([{ failingSince: null, error: null }]);
    });

    it('ENTRIES-011 a dead entry holds up its own record only (INBOX-005)', async () => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k'), entry('3', 'other')]);
      await inbox.end(await claimOne(), { kind: 'dead', error: 'unreadable' });
      expect(ids(await inbox.claim(claim()))).toEqual(['3']);
      expect(await inbox.list({ state: 'dead', limit: 10 })).toMatchObject([{ deliveryId: '1', error: 'unreadable' }]);
    });

    it('ENTRIES-012 replays a dead entry before those behind it (INBOX-005)', async () => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
      const dead = await claimOne();
      await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
      expect(await inbox.replay(dead.seq)).toBe(true);
      expect(await claimOne()).toMatchObject({ deliveryId: '1', attempts: 1, error: null, failingSince: null });
    });

    it('ENTRIES-013 skips a dead entry, and those behind it go on (INBOX-005)', async () => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
      const dead = await claimOne();
      await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
      expect(await inbox.skip(dead.seq)).toBe(true);
      expect(await inbox.find(dead.seq)).toMatchObject({ state: 'skipped' });
      expect(ids(await inbox.claim(claim()))).toEqual(['2']);
    });

    it('ENTRIES-014 replays what is over, and neither replays nor skips what is being worked on', async () => {
      await inbox.keep([entry('1')]);
      const leased = await claimOne();
      expect(await inbox.replay(leased.seq)).toBe(false);
      expect(await inbox.skip(leased.seq)).toBe(false);
      await inbox.end(leased, { kind: 'done', outcome: 'created' });
      expect(await inbox.skip(leased.seq)).toBe(false);
      expect(await inbox.replay(leased.seq)).toBe(true);
      expect(await claimOne()).toMatchObject({ deliveryId: '1', outcome: null, finishedAt: null });
      expect(await inbox.replay(999)).toBe(false);
    });

    it('ENTRIES-015 hands out an entry again when its lease has run out, and no longer takes its ending from the former', async () => {
      await inbox.keep([entry('1')]);
      const former = await claimOne('a');
      clock.advance(14_999);
      expect(await inbox.claim(claim('b'))).toEqual([]);
      clock.advance(1);
      const latter = await claimOne('b');
      expect(latter).toMatchObject({ deliveryId: '1', attempts: 2, leaseOwner: 'b' });
      expect(await inbox.end(former, { kind: 'done', outcome: 'created' })).toBe(false);
      expect(await inbox.end(latter, { kind: 'done', outcome: 'created' })).toBe(true);
    });

    it('ENTRIES-016 takes no ending from a former claim of the same owner', async () => {
      await inbox.keep([entry('1')]);
      const former = await claimOne('a');
      clock.advance(15_000);
      await claimOne('a');
      expect(await inbox.end(former, { kind: 'done', outcome: 'created' })).toBe(false);
    });

    it('ENTRIES-017 renews the leases of an owner, and no others', async () => {
      await inbox.keep([entry('1'), entry('2')]);
      await claimOne('a');
      await claimOne('b');
      clock.advance(10_000);
      expect(await inbox.renew('a', 15_000)).toBe(1);
      clock.advance(5000);
      expect(ids(await inbox.claim(claim('c')))).toEqual(['2']);
    });

    it('ENTRIES-018 prunes the bodies of what is over and old, and still knows their ids', async () => {
      await inbox.keep([entry('1'), entry('2')]);
      const done = await claimOne();
      await inbox.end(done, { kind: 'done', outcome: 'created' });
      expect(await inbox.prune(clock.now())).toBe(0);
      expect(await inbox.prune(clock.now() + 1)).toBe(1);
      expect(await inbox.body(done)).toBeNull();
      expect(await inbox.replay(done.seq)).toBe(false);
      expect(await inbox.keep([entry('1')])).toBe(0);
      expect(await inbox.body(placeOf(done.seq + 1))).toBe('{"id":"2"}');
    });

    it('ENTRIES-019 keeps the bodies of the dead', async () => {
      await inbox.keep([entry('1')]);
      const dead = await claimOne();
      await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
      clock.advance(1);
      expect(await inbox.prune(clock.now())).toBe(0);
      expect(await inbox.body(dead)).toBe('{"id":"1"}');
    });

    it('ENTRIES-020 lists the newest first, page by page, and counts by state', async () => {
      await inbox.keep([entry('1'), entry('2'), entry('3')]);
      await inbox.end(await claimOne(), { kind: 'done', outcome: 'created' });
      const page = await inbox.list({ limit: 2 });
      expect(ids(page)).toEqual(['3', '2']);
      expect(ids(await inbox.list({ limit: 2, before: page.at(-1)?.seq ?? 0 }))).toEqual(['1']);
      expect(ids(await inbox.list({ limit: 5, state: 'done' }))).toEqual(['1']);
      expect(await inbox.counts()).toEqual({ pending: 2, leased: 0, done: 1, ignored: 0, skipped: 0, dead: 0 });
    });

    it('ENTRIES-023 wakes what waits for a service that answers again, and nothing else', async () => {
      await inbox.keep([entry('1'), entry('2'), entry('3'), entry('4')]);
      const failed = { kind: 'retry', error: 'unavailable', delayMs: 60_000 } as const;
      await inbox.end(await claimOne(), { ...failed, calls: 'vault' });
      await inbox.end(await claimOne(), { ...failed, calls: 'suite_crm' });
      await inbox.end(await claimOne(), { ...failed, calls: null });
      await inbox.end(await claimOne(), { kind: 'dead', error: 'unreadable' });
      expect(await inbox.claim(claim())).toEqual([]);
      expect(await inbox.wake('vault')).toBe(1);
      expect(ids(await inbox.claim(claim()))).toEqual(['1']);
      expect(await inbox.wake('vault')).toBe(0);
      expect(await inbox.wake('suite_crm', 500)).toBe(1);
      expect(await inbox.claim(claim())).toEqual([]);
      clock.advance(500);
      expect(ids(await inbox.claim(claim()))).toEqual(['2']);
    });

    it('ENTRIES-024 hands out entries of the lanes that are asked for, in the order of arrival', async () => {
      await inbox.keep([
        { ...entry('1'), calls: 'vault' },
        { ...entry('2'), service: 'sales_crm', calls: 'suite_crm' },
        { ...entry('3'), service: 'sales_crm', calls: 'vault' },
        entry('4'),
        { ...entry('5'), calls: 'vault' },
      ]);
      const lanes = [
        { from: 'sales_crm', calls: 'vault' },
        { from: 'tracker', calls: 'vault' },
        { from: 'tracker', calls: null },
      ] as const;
      expect(await inbox.claim({ ...claim(), lanes: [] })).toEqual([]);
      expect(ids(await inbox.claim({ ...claim('a', 3), lanes }))).toEqual(['1', '3', '4']);
      expect(ids(await inbox.claim({ ...claim(), lanes }))).toEqual(['5']);
      expect(ids(await inbox.claim(claim()))).toEqual(['2']);
    });

    it('ENTRIES-025 keeps the order of a record, whichever lanes its entries are in', async () => {
      await inbox.keep([
        { ...entry('1', 'k'), calls: 'suite_crm' },
        { ...entry('2', 'k'), calls: 'vault' },
      ]);
      const vaultOnly = { ...claim(), lanes: [{ from: 'tracker', calls: 'vault' }] as const };
      expect(await inbox.claim(vaultOnly)).toEqual([]);
      await inbox.end(await claimOne(), { kind: 'done', outcome: 'pushed' });
      expect(ids(await inbox.claim(vaultOnly))).toEqual(['2']);
    });

    it('ENTRIES-026 never hands one entry to two that claim lanes at the same time', async () => {
      await inbox.keep(
        Array.from({ length: 20 }, (_, index) => ({ ...entry(String(index)), calls: 'vault' as const })),
      );
      const lanes = [
        { from: 'tracker', calls: 'vault' },
        { from: 'tracker', calls: null },
      ] as const;
      const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
      const claimed = await Promise.all(owners.map((owner) => inbox.claim({ ...claim(owner, 5), lanes })));
      const all = ids(claimed.flat());
      expect(new Set(all).size).toBe(all.length);
    });

    it('ENTRIES-027 an entry that only waits has used up no try, and its failures begin anew', async () => {
      await inbox.keep([entry('1'), entry('2')]);
      await inbox.end(await claimOne(), { kind: 'retry', error: 'unavailable', delayMs: 0, calls: 'vault' });
      await inbox.end(await claimOne(), { kind: 'waits', error: 'it is down', delayMs: 0, calls: 'vault' });
      expect(await inbox.find(1)).toMatchObject({ state: 'pending', attempts: 1, failingSince: null, calls: 'vault' });
      expect(await inbox.find(1)).toMatchObject({ error: 'it is down', leaseOwner: null, availableAt: clock.now() });
      expect(await claimOne('b')).toMatchObject({ deliveryId: '1', attempts: 2 });
    });

    it('ENTRIES-028 tells which services entries wait for', async () => {
      await inbox.keep([{ ...entry('1'), calls: 'suite_crm' }, entry('2'), entry('3')]);
      expect(await inbox.awaited()).toEqual([]);
      await inbox.end(await claimOne(), { kind: 'retry', error: 'unavailable', delayMs: 9_000, calls: 'suite_crm' });
      await inbox.end(await claimOne(), { kind: 'dead', error: 'unreadable' });
      expect(await inbox.awaited()).toEqual(['suite_crm']);
    });

    it('ENTRIES-022 tells since when the oldest open entry waits', async () => {
      expect(await inbox.oldestOpen()).toBeNull();
      await inbox.keep([entry('1')]);
      const since = clock.now();
      clock.advance(5000);
      await inbox.keep([entry('2')]);
      expect(await inbox.oldestOpen()).toBe(since);
      await inbox.end(await claimOne(), { kind: 'dead', error: 'unreadable' });
      expect(await inbox.oldestOpen()).toBe(since + 5000);
    });

    it('ENTRIES-029 tells when each service last sent a delivery, a repeated one as of its first time', async () => {
      expect(await inbox.lastReceived('tracker')).toBeNull();
      await inbox.keep([entry('1'), { ...entry('2'), service: 'signing' }]);
      clock.advance(5_000);
      await inbox.keep([entry('3')]);
      const last = clock.now();
      clock.advance(5_000);
      await inbox.keep([entry('1')]);
      expect(await inbox.lastReceived('tracker')).toBe(last);
      expect(await inbox.lastReceived('signing')).toBe(last - 5_000);
      expect(await inbox.lastReceived('suite_crm')).toBeNull();
    });

    it('ENTRIES-030 lists stored bodies in order, page by page, without pruned ones', async () => {
      await inbox.keep(['1', '2', '3', '4'].map((id) => entry(id)));
      await inbox.end(await claimOne(), { kind: 'done', outcome: 'created' });
      await inbox.prune(clock.now() + 1);
      const page = await inbox.bodies({ after: -1, limit: 2 });
      expect(page).toEqual([2, 3].map((seq) => ({ ...placeOf(seq), body: `{"id":"${seq}"}` })));
      expect(await inbox.bodies({ after: 3, limit: 2 })).toEqual([{ ...placeOf(4), body: '{"id":"4"}' }]);
      expect(await inbox.bodies({ after: 4, limit: 2 })).toEqual([]);
    });

    it('ENTRIES-031 rewrites bodies that are still the same, and leaves the others', async () => {
      await inbox.keep([entry('1'), entry('2'), entry('3')]);
      const changes = [
        { seq: 1, before: '{"id":"1"}', after: 'one' },
        { seq: 2, before: 'no longer so', after: 'two' },
        { seq: 9, before: '', after: 'nine' },
      ];
      expect(await inbox.rewriteBodies(changes)).toBe(1);
      expect(await inbox.rewriteBodies([])).toBe(0);
      expect(await inbox.body(placeOf(1))).toBe('one');
      expect(await inbox.body(placeOf(2))).toBe('{"id":"2"}');
      expect(await inbox.find(1)).toMatchObject({ state: 'pending', attempts: 0, event: 'Issue.create' });
    });

    it('ENTRIES-021 keeps a body of any text', async () => {
      const body = JSON.stringify({ text: 'Ünïcödé 日本 \u0000 \u2028 🎉', long: 'x'.repeat(500_000) });
      await inbox.keep([{ ...entry('1'), body }]);
      expect(await inbox.body(await claimOne())).toBe(body);
    });
  });
}
