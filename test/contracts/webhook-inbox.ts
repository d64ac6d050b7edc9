import assert from 'node:assert/strict';
import type {
  EntryPlace,
  InboxEntry,
  InboxQuery,
  InboxSearch,
  NewInboxEntry,
  WebhookInbox,
  WebhookInboxStore,
} from '#application/ports/webhook-inbox.ts';
import { type Clause, contract } from '#test/contracts/kit/contract.ts';
import { lifeCycle } from '#test/contracts/kit/life-cycle.ts';
import type { Runner } from '#test/contracts/kit/runner.ts';
import type { Opened, Subject } from '#test/contracts/kit/subject.ts';
import { tamper } from '#test/contracts/kit/tamper.ts';
import { oddText, oddTexts } from '#test/contracts/kit/texts.ts';

const claim = (owner = 'a', limit = 10) => ({ owner, leaseMs: 15_000, limit });

function entry(deliveryId: string, orderKey = `tracker:issue:${deliveryId}`): NewInboxEntry {
  return { service: 'tracker', deliveryId, orderKey, event: 'Issue.create', body: `{"id":"${deliveryId}"}` };
}

const placeOf = (seq: number): EntryPlace => ({ seq, service: 'tracker', deliveryId: String(seq) });
const ids = (entries: readonly InboxEntry[]) => entries.map(({ deliveryId }) => deliveryId);

async function claimOne(inbox: WebhookInbox, owner = 'a'): Promise<InboxEntry> {
  const [first] = await inbox.claim(claim(owner, 1));
  assert.ok(first !== undefined, 'There is nothing to claim');
  return first;
}

/** Asserts that a value, or each value of a list, has these members. */
function matches(
  value: unknown,
  expected: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[],
): void {
  assert.deepEqual(partOf(value, expected), expected);
}

function partOf(value: unknown, expected: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(expected))
    return value.map((member, index) => partOf(member, expected[index]));
  if (typeof value !== 'object' || value === null || typeof expected !== 'object' || expected === null) return value;
  return Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(value, key)]));
}

/** An inbox under test; `encrypted` says whether the server's encryption wraps the store that `raw` reads. */
export type InboxSubject<Port extends WebhookInbox, Handle extends Opened<Port>> = Subject<Port, Handle> &
  Readonly<{ supports: Readonly<{ encrypted: boolean }> }>;

/** Contract suite of webhook inboxes, with or without decorators (INBOX-001 to INBOX-012). */
export function webhookInboxContract<Handle extends Opened<WebhookInbox>>(
  runner: Runner,
  subject: InboxSubject<WebhookInbox, Handle>,
): void {
  const { encrypted } = subject.supports;
  contract<WebhookInbox, Handle>(runner, subject, {
    port: 'webhook inbox',
    extras: { encrypted },
    define: commonClauses,
  });
}

/** Contract suite of inbox stores: the suite of inboxes, and the methods for key rotation. */
export function webhookInboxStoreContract<Handle extends Opened<WebhookInboxStore>>(
  runner: Runner,
  subject: InboxSubject<WebhookInboxStore, Handle>,
): void {
  const { encrypted } = subject.supports;
  contract<WebhookInboxStore, Handle>(runner, subject, {
    port: 'store of a webhook inbox',
    extras: { encrypted },
    define: (clause) => {
      commonClauses(clause);
      storeClauses(clause);
    },
  });
}

function commonClauses(clause: Clause<WebhookInbox>): void {
  clause('ENTRIES-001 stores a delivery id once', async ({ port: inbox }) => {
    assert.equal(await inbox.keep([entry('1')]), 1);
    assert.equal(await inbox.keep([entry('1', 'another:line')]), 0);
    assert.deepEqual(ids(await inbox.list({ limit: 10 })), ['1']);
  });

  clause('ENTRIES-002 distinguishes the same id of two services', async ({ port: inbox }) => {
    assert.equal(await inbox.keep([entry('1'), { ...entry('1'), service: 'signing' }]), 2);
  });

  clause('ENTRIES-003 stores an id once when many callers store it concurrently', async ({ port: inbox }) => {
    const kept = await Promise.all(Array.from({ length: 8 }, () => inbox.keep([entry('1')])));
    assert.deepEqual(
      kept.toSorted((left, right) => left - right),
      [0, 0, 0, 0, 0, 0, 0, 1],
    );
  });

  clause('ENTRIES-004 returns an entry as it was stored, and its body', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1')]);
    const [kept] = await inbox.list({ limit: 1 });
    matches(kept, {
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
    assert.equal(await inbox.body(placeOf(kept?.seq ?? 0)), '{"id":"1"}');
    assert.deepEqual(await inbox.find(kept?.seq ?? 0), kept);
    assert.equal(await inbox.find(999), null);
  });

  clause('ENTRIES-005 hands out entries in the order of arrival, each to one claimant', async ({ port: inbox }) => {
    await inbox.keep([entry('1'), entry('2'), entry('3')]);
    assert.deepEqual(ids(await inbox.claim(claim('a', 2))), ['1', '2']);
    assert.deepEqual(ids(await inbox.claim(claim('b', 2))), ['3']);
    assert.deepEqual(await inbox.claim(claim('c')), []);
  });

  clause('ENTRIES-006 never hands one entry to two concurrent claimants (INBOX-009)', async ({ port: inbox }) => {
    await inbox.keep(Array.from({ length: 20 }, (_, index) => entry(String(index))));
    const claimed = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((owner) => inbox.claim(claim(owner, 5))));
    const all = ids(claimed.flat());
    assert.equal(new Set(all).size, all.length);
  });

  clause('ENTRIES-007 hands out entries of one record one at a time (INBOX-002)', async ({ port: inbox }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k'), entry('3', 'other')]);
    const [first, ...others] = await inbox.claim(claim());
    assert.deepEqual(ids([...(first ? [first] : []), ...others]), ['1', '3']);
    assert.deepEqual(await inbox.claim(claim('b')), []);
    if (first !== undefined) await inbox.end(first, { kind: 'done', outcome: 'created' });
    assert.deepEqual(ids(await inbox.claim(claim('b'))), ['2']);
  });

  clause('ENTRIES-008 records how an entry ended, and does not hand it out again', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1'), entry('2')]);
    assert.equal(await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created Issues/1.md' }), true);
    assert.equal(await inbox.end(await claimOne(inbox), { kind: 'ignored', outcome: 'no reaction' }), true);
    const [second, first] = await inbox.list({ limit: 10 });
    matches(first, {
      state: 'done',
      outcome: 'created Issues/1.md',
      finishedAt: clock.now(),
      attempts: 1,
    });
    matches(second, { state: 'ignored', outcome: 'no reaction', leaseOwner: null });
    assert.deepEqual(await inbox.claim(claim()), []);
  });

  clause(
    'ENTRIES-009 hands out a failed entry again when it is due, and blocks its record until then',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 5000, calls: null });
      assert.deepEqual(await inbox.claim(claim()), []);
      clock.advance(4999);
      assert.deepEqual(await inbox.claim(claim()), []);
      clock.advance(1);
      const again = await claimOne(inbox);
      matches(again, {
        deliveryId: '1',
        attempts: 2,
        error: 'unavailable',
        failingSince: clock.now() - 5000,
      });
    },
  );

  clause(
    'ENTRIES-010 remembers since when an entry has been failing until it succeeds',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1')]);
      const since = clock.now();
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'one', delayMs: 10, calls: null });
      clock.advance(10);
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'two', delayMs: 10, calls: null });
      matches(await inbox.list({ limit: 1 }), [{ failingSince: since, error: 'two' }]);
      clock.advance(10);
      await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'updated' });
      matches(await inbox.list({ limit: 1 }), [{ failingSince: null, error: null }]);
    },
  );

  clause('ENTRIES-011 a dead entry blocks its own record only (INBOX-005)', async ({ port: inbox }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k'), entry('3', 'other')]);
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    assert.deepEqual(ids(await inbox.claim(claim())), ['3']);
    matches(await inbox.list({ state: 'dead', limit: 10 }), [{ deliveryId: '1', error: 'unreadable' }]);
  });

  clause('ENTRIES-012 replays a dead entry before those behind it (INBOX-005)', async ({ port: inbox }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
    const dead = await claimOne(inbox);
    await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
    assert.equal(await inbox.replay(dead.seq), true);
    matches(await claimOne(inbox), { deliveryId: '1', attempts: 1, error: null, failingSince: null });
  });

  clause('ENTRIES-013 skips a dead entry, and unblocks those behind it (INBOX-005)', async ({ port: inbox }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
    const dead = await claimOne(inbox);
    await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
    assert.equal(await inbox.skip(dead.seq), true);
    matches(await inbox.find(dead.seq), { state: 'skipped' });
    assert.deepEqual(ids(await inbox.claim(claim())), ['2']);
  });

  clause(
    'ENTRIES-014 replays finished entries, and neither replays nor skips claimed ones',
    async ({ port: inbox }) => {
      await inbox.keep([entry('1')]);
      const leased = await claimOne(inbox);
      assert.equal(await inbox.replay(leased.seq), false);
      assert.equal(await inbox.skip(leased.seq), false);
      await inbox.end(leased, { kind: 'done', outcome: 'created' });
      assert.equal(await inbox.skip(leased.seq), false);
      assert.equal(await inbox.replay(leased.seq), true);
      matches(await claimOne(inbox), { deliveryId: '1', outcome: null, finishedAt: null });
      assert.equal(await inbox.replay(999), false);
    },
  );

  clause(
    'ENTRIES-015 hands out an entry again when its lease has expired, and ignores the former claimant’s ending',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1')]);
      const former = await claimOne(inbox, 'a');
      clock.advance(14_999);
      assert.deepEqual(await inbox.claim(claim('b')), []);
      clock.advance(1);
      const latter = await claimOne(inbox, 'b');
      matches(latter, { deliveryId: '1', attempts: 2, leaseOwner: 'b' });
      assert.equal(await inbox.end(former, { kind: 'done', outcome: 'created' }), false);
      assert.equal(await inbox.end(latter, { kind: 'done', outcome: 'created' }), true);
    },
  );

  clause('ENTRIES-016 ignores an ending from a former claim of the same owner', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1')]);
    const former = await claimOne(inbox, 'a');
    clock.advance(15_000);
    await claimOne(inbox, 'a');
    assert.equal(await inbox.end(former, { kind: 'done', outcome: 'created' }), false);
  });

  clause('ENTRIES-017 renews the leases of an owner, and no others', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1'), entry('2')]);
    await claimOne(inbox, 'a');
    await claimOne(inbox, 'b');
    clock.advance(10_000);
    assert.equal(await inbox.renew('a', 15_000), 1);
    clock.advance(5000);
    assert.deepEqual(ids(await inbox.claim(claim('c'))), ['2']);
  });

  clause(
    'ENTRIES-018 prunes the bodies of old finished entries, and still knows their ids',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1'), entry('2')]);
      const done = await claimOne(inbox);
      await inbox.end(done, { kind: 'done', outcome: 'created' });
      assert.equal(await inbox.prune(clock.now()), 0);
      assert.equal(await inbox.prune(clock.now() + 1), 1);
      assert.equal(await inbox.body(done), null);
      assert.equal(await inbox.replay(done.seq), false);
      assert.equal(await inbox.keep([entry('1')]), 0);
      assert.equal(await inbox.body(placeOf(done.seq + 1)), '{"id":"2"}');
    },
  );

  clause('ENTRIES-019 keeps the bodies of dead entries', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1')]);
    const dead = await claimOne(inbox);
    await inbox.end(dead, { kind: 'dead', error: 'unreadable' });
    clock.advance(1);
    assert.equal(await inbox.prune(clock.now()), 0);
    assert.equal(await inbox.body(dead), '{"id":"1"}');
  });

  clause('ENTRIES-020 lists the newest first, in pages, and counts by state', async ({ port: inbox }) => {
    await inbox.keep([entry('1'), entry('2'), entry('3')]);
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
    const page = await inbox.list({ limit: 2 });
    assert.deepEqual(ids(page), ['3', '2']);
    assert.deepEqual(ids(await inbox.list({ limit: 2, before: page.at(-1)?.seq ?? 0 })), ['1']);
    assert.deepEqual(ids(await inbox.list({ limit: 5, state: 'done' })), ['1']);
    assert.deepEqual(await inbox.counts(), { pending: 2, leased: 0, done: 1, ignored: 0, skipped: 0, dead: 0 });
  });

  clause(
    'ENTRIES-023 wakes only entries that wait for a service that answers again',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1'), entry('2'), entry('3'), entry('4')]);
      const failed = { kind: 'retry', error: 'unavailable', delayMs: 60_000 } as const;
      await inbox.end(await claimOne(inbox), { ...failed, calls: 'vault' });
      await inbox.end(await claimOne(inbox), { ...failed, calls: 'suite_crm' });
      await inbox.end(await claimOne(inbox), { ...failed, calls: null });
      await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
      assert.deepEqual(await inbox.claim(claim()), []);
      assert.equal(await inbox.wake('vault'), 1);
      assert.deepEqual(ids(await inbox.claim(claim())), ['1']);
      assert.equal(await inbox.wake('vault'), 0);
      assert.equal(await inbox.wake('suite_crm', 500), 1);
      assert.deepEqual(await inbox.claim(claim()), []);
      clock.advance(500);
      assert.deepEqual(ids(await inbox.claim(claim())), ['2']);
    },
  );

  clause('ENTRIES-024 hands out entries of the requested lanes, in the order of arrival', async ({ port: inbox }) => {
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
    assert.deepEqual(await inbox.claim({ ...claim(), lanes: [] }), []);
    assert.deepEqual(ids(await inbox.claim({ ...claim('a', 3), lanes })), ['1', '3', '4']);
    assert.deepEqual(ids(await inbox.claim({ ...claim(), lanes })), ['5']);
    assert.deepEqual(ids(await inbox.claim(claim())), ['2']);
  });

  clause('ENTRIES-064 hands out no more entries of a lane than the claim allows', async ({ port: inbox }) => {
    const lanesOf = [null, 'vault', 'vault', 'suite_crm', 'vault', null, null] as const;
    await inbox.keep(lanesOf.map((calls, index) => ({ ...entry(String(index)), calls })));
    const lanes = [
      { from: 'tracker', calls: 'vault', most: 2 },
      { from: 'tracker', calls: null, most: 1 },
      { from: 'tracker', calls: 'suite_crm' },
    ] as const;
    assert.deepEqual(ids(await inbox.claim({ ...claim('a', 3), lanes })), ['0', '1', '2']);
    assert.deepEqual(ids(await inbox.claim({ ...claim(), lanes })), ['3', '4', '5']);
    assert.deepEqual(ids(await inbox.claim({ ...claim(), lanes })), ['6']);
  });

  clause('ENTRIES-025 keeps the order of a record, whichever lanes its entries are in', async ({ port: inbox }) => {
    await inbox.keep([
      { ...entry('1', 'k'), calls: 'suite_crm' },
      { ...entry('2', 'k'), calls: 'vault' },
    ]);
    const vaultOnly = { ...claim(), lanes: [{ from: 'tracker', calls: 'vault' }] as const };
    assert.deepEqual(await inbox.claim(vaultOnly), []);
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'pushed' });
    assert.deepEqual(ids(await inbox.claim(vaultOnly)), ['2']);
  });

  clause('ENTRIES-026 never hands one entry to two concurrent claimants of lanes', async ({ port: inbox }) => {
    await inbox.keep(Array.from({ length: 20 }, (_, index) => ({ ...entry(String(index)), calls: 'vault' as const })));
    const lanes = [
      { from: 'tracker', calls: 'vault' },
      { from: 'tracker', calls: null },
    ] as const;
    const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
    const claimed = await Promise.all(owners.map((owner) => inbox.claim({ ...claim(owner, 5), lanes })));
    const all = ids(claimed.flat());
    assert.equal(new Set(all).size, all.length);
  });

  clause(
    'ENTRIES-027 an entry that only waits uses up no attempt, and its failures start over',
    async ({ port: inbox, clock }) => {
      await inbox.keep([entry('1'), entry('2')]);
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 0, calls: 'vault' });
      await inbox.end(await claimOne(inbox), { kind: 'waits', error: 'it is down', delayMs: 0, calls: 'vault' });
      matches(await inbox.find(1), { state: 'pending', attempts: 1, failingSince: null, calls: 'vault' });
      matches(await inbox.find(1), { error: 'it is down', leaseOwner: null, availableAt: clock.now() });
      matches(await claimOne(inbox, 'b'), { deliveryId: '1', attempts: 2 });
    },
  );

  clause('ENTRIES-028 lists the services that entries wait for', async ({ port: inbox }) => {
    await inbox.keep([{ ...entry('1'), calls: 'suite_crm' }, entry('2'), entry('3')]);
    assert.deepEqual(await inbox.awaited(), []);
    await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 9_000, calls: 'suite_crm' });
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    assert.deepEqual(await inbox.awaited(), ['suite_crm']);
  });

  clause('ENTRIES-022 returns since when the oldest open entry has been waiting', async ({ port: inbox, clock }) => {
    assert.equal(await inbox.oldestOpen(), null);
    await inbox.keep([entry('1')]);
    const since = clock.now();
    clock.advance(5000);
    await inbox.keep([entry('2')]);
    assert.equal(await inbox.oldestOpen(), since);
    const leased = await claimOne(inbox);
    assert.equal(await inbox.oldestOpen(), since);
    await inbox.end(leased, { kind: 'dead', error: 'unreadable' });
    assert.equal(await inbox.oldestOpen(), since + 5000);
  });

  clause(
    'ENTRIES-029 returns when each service last sent a delivery, and for a repeated one its first time',
    async ({ port: inbox, clock }) => {
      assert.equal(await inbox.lastReceived('tracker'), null);
      await inbox.keep([entry('1'), { ...entry('2'), service: 'signing' }]);
      clock.advance(5_000);
      await inbox.keep([entry('3')]);
      const last = clock.now();
      clock.advance(5_000);
      await inbox.keep([entry('1')]);
      assert.equal(await inbox.lastReceived('tracker'), last);
      assert.equal(await inbox.lastReceived('signing'), last - 5_000);
      assert.equal(await inbox.lastReceived('suite_crm'), null);
    },
  );

  clause('ENTRIES-021 stores a body of any text', async ({ port: inbox }) => {
    const body = JSON.stringify({ text: 'Ünïcödé 日本 \u0000 \u2028 🎉', long: 'x'.repeat(500_000) });
    await inbox.keep([{ ...entry('1'), body }]);
    assert.equal(await inbox.body(await claimOne(inbox)), body);
  });

  clause('ENTRIES-032 shows every field of an entry at each step', async ({ port: inbox, clock }) => {
    const full: NewInboxEntry = {
      ...entry('d-1', oddText),
      service: 'sales_crm',
      event: 'updated.deal',
      calls: 'suite_crm',
    };
    await inbox.keep([full]);
    const { body: _, ...kept } = full;
    const at = clock.now();
    const fresh = {
      ...kept,
      seq: 1,
      calls: 'suite_crm',
      state: 'pending',
      receivedAt: at,
      availableAt: at,
      attempts: 0,
      failingSince: null,
      leaseOwner: null,
      leaseUntil: null,
      error: null,
      outcome: null,
      finishedAt: null,
      isFaulty: false,
    };
    assert.deepEqual(await inbox.find(1), fresh);
    clock.advance(3);
    const leased = { ...fresh, state: 'leased', attempts: 1, leaseOwner: 'a', leaseUntil: at + 15_003 };
    const claimed = await claimOne(inbox);
    assert.deepEqual([claimed, await inbox.find(1)], [leased, leased]);
    clock.advance(2);
    await inbox.end(claimed, { kind: 'retry', error: oddText, delayMs: 1_001, calls: 'vault' });
    const failed = {
      ...fresh,
      attempts: 1,
      calls: 'vault',
      error: oddText,
      availableAt: at + 1_006,
      failingSince: at + 5,
    };
    assert.deepEqual(await inbox.find(1), failed);
    clock.advance(1_001);
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: oddText });
    const done = {
      ...failed,
      state: 'done',
      attempts: 2,
      error: null,
      failingSince: null,
      outcome: oddText,
      finishedAt: at + 1_006,
    };
    assert.deepEqual([await inbox.find(1), ...(await inbox.list({ limit: 1 }))], [done, done]);
  });

  clause('ENTRIES-033 stores all entries of a call or none', async ({ port: inbox }) => {
    await inbox.keep([entry('1')]);
    assert.equal(await inbox.keep([entry('2'), entry('1'), entry('3'), entry('2')]), 2);
    assert.deepEqual(ids(await inbox.list({ limit: 10 })), ['3', '2', '1']);
    const unreadable: NewInboxEntry = {
      ...entry('5'),
      get body(): string {
        throw new Error('It cannot be read');
      },
    };
    await assert.rejects(async () => inbox.keep([entry('4'), unreadable]));
    assert.deepEqual(ids(await inbox.list({ limit: 10 })), ['3', '2', '1']);
    // A store may have no use for nulls, or take them.
    const odd: NewInboxEntry = { ...entry('7'), ...JSON.parse('{"event":null}') };
    const isKept = await inbox.keep([entry('6'), odd]).then(
      () => true,
      () => false,
    );
    assert.equal((await inbox.counts()).pending, isKept ? 5 : 3);
    assert.equal(await inbox.keep([entry('4')]), 1);
  });

  clause('ENTRIES-034 has all entries of every concurrent call that stores some', async ({ port: inbox }) => {
    const calls = Array.from({ length: 12 }, (_, index) => [
      entry(`${index}a`),
      entry(`${index}b`),
      entry(`${index}c`),
    ]);
    assert.deepEqual(
      await Promise.all(calls.map((call) => inbox.keep(call))),
      calls.map(() => 3),
    );
    const listed = ids(await inbox.list({ limit: 100 }));
    assert.equal(new Set(listed).size, 36);
    for (const call of calls) {
      const own = call.map(({ deliveryId }) => deliveryId);
      assert.deepEqual(
        listed.filter((id) => own.includes(id)),
        own.toReversed(),
      );
    }
  });

  clause('ENTRIES-035 distinguishes ids and order keys of any text', async ({ port: inbox }) => {
    const texts = [...oddTexts, 'a', 'A', 'a ', 'é', 'e\u0301'];
    assert.equal(await inbox.keep(texts.map((text) => entry(text, `k${text}`))), texts.length);
    assert.equal(await inbox.keep(texts.map((text) => entry(text, `k${text}`))), 0);
    assert.deepEqual(ids(await inbox.claim(claim('a', 100))), texts);
  });

  clause('ENTRIES-036 hands out an entry at exactly the time when it is due', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1')]);
    await inbox.end(await claimOne(inbox), { kind: 'waits', error: null, delayMs: 501, calls: null });
    matches(await inbox.find(1), { error: null, availableAt: clock.now() + 501 });
    clock.advance(500);
    assert.deepEqual(await inbox.claim(claim()), []);
    clock.advance(1);
    assert.equal((await claimOne(inbox)).deliveryId, '1');
  });

  clause('ENTRIES-037 blocks a record behind a leased entry, whoever asks', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k'), { ...entry('3', 'k'), service: 'signing' }]);
    const first = await claimOne(inbox);
    for (const owner of ['a', 'b']) assert.deepEqual(await inbox.claim(claim(owner)), []);
    await inbox.end(first, { kind: 'ignored', outcome: 'no reaction' });
    assert.deepEqual(ids(await inbox.claim(claim('b'))), ['2']);
    clock.advance(15_000);
    assert.deepEqual(ids(await inbox.claim(claim('c'))), ['2']);
  });

  clause('ENTRIES-038 ends an entry once, and no other', async ({ port: inbox }) => {
    await inbox.keep([entry('1'), entry('2'), entry('3')]);
    const [first, second] = await inbox.claim(claim('a', 2));
    assert.ok(first !== undefined && second !== undefined);
    const endings = [1, 2, 3].map(() => inbox.end(first, { kind: 'done', outcome: 'created' }));
    assert.deepEqual((await Promise.all(endings)).filter(Boolean), [true]);
    assert.deepEqual(await inbox.counts(), { pending: 1, leased: 1, done: 1, ignored: 0, skipped: 0, dead: 0 });
    assert.equal(await inbox.end({ ...second, seq: 3 }, { kind: 'done', outcome: 'created' }), false);
    assert.equal(await inbox.end({ ...second, leaseOwner: 'b' }, { kind: 'done', outcome: 'created' }), false);
    assert.equal(await inbox.end({ ...second, seq: 99 }, { kind: 'done', outcome: 'created' }), false);
    assert.equal(await inbox.end(second, { kind: 'dead', error: 'unreadable' }), true);
  });

  clause('ENTRIES-039 replays with all attempts, and keeps the time of arrival', async ({ port: inbox, clock }) => {
    await inbox.keep([{ ...entry('1'), calls: 'vault' }]);
    const fresh = await inbox.find(1);
    await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 0, calls: 'vault' });
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    clock.advance(7);
    assert.equal(await inbox.replay(1), true);
    assert.deepEqual(await inbox.find(1), { ...fresh, availableAt: clock.now() });
    assert.equal(await inbox.replay(1), false);
  });

  clause('ENTRIES-040 skips a pending entry, and records when', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1', 'k'), entry('2', 'k')]);
    clock.advance(5);
    assert.equal(await inbox.skip(1), true);
    matches(await inbox.find(1), { state: 'skipped', finishedAt: clock.now() });
    matches(await inbox.find(2), { state: 'pending', finishedAt: null });
    assert.equal(await inbox.skip(1), false);
    assert.equal(await inbox.skip(99), false);
    assert.equal(await inbox.replay(1), true);
  });

  clause(
    'ENTRIES-041 prunes finished entries of each outcome, and only those that finished before the time',
    async ({ port: inbox, clock }) => {
      await inbox.keep(['1', '2', '3', '4'].map((id) => entry(id)));
      await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
      await inbox.end(await claimOne(inbox), { kind: 'ignored', outcome: 'no reaction' });
      await inbox.skip(3);
      clock.advance(1);
      await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
      assert.equal(await inbox.prune(clock.now()), 3);
      assert.equal(await inbox.prune(clock.now()), 0);
      assert.equal(await inbox.body(placeOf(4)), '{"id":"4"}');
      assert.equal(await inbox.prune(clock.now() + 1), 1);
      matches(await inbox.find(4), { state: 'done', outcome: 'created', attempts: 1 });
    },
  );

  clause(
    'ENTRIES-058 lists entries of a service and of a period, and finds a text in their event, id, order key or outcome',
    async ({ port: inbox, clock }) => {
      const start = clock.now();
      const other = { ...entry('B'), service: 'sales_crm', event: 'merged.deal' };
      await inbox.keep([entry('A-1'), entry('50%_off', 'crm:deal:7'), other]);
      clock.advance(60_000);
      await inbox.keep([entry('Late')]);
      await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'Deals/Österreich Harbour.md was made' });
      const found = async (query: Omit<InboxQuery, 'limit'>) => ids(await inbox.list({ limit: 9, ...query }));
      const search = async (query: Pick<InboxSearch, 'text' | 'state'>) =>
        ids((await inbox.search({ limit: 9, most: 9, services: [], ...query })).entries);
      assert.deepEqual(await found({ service: 'sales_crm' }), ['B']);
      assert.deepEqual(await found({ since: start + 30_000 }), ['Late']);
      assert.deepEqual(await found({ until: start + 30_000 }), ['B', '50%_off', 'A-1']);
      assert.deepEqual(await found({ since: start + 30_000, until: start + 30_000 }), []);
      const [first] = await inbox.list({ limit: 1, before: 2 });
      assert.deepEqual(await found({ since: first?.receivedAt ?? 0, service: 'sales_crm' }), ['B']);
      assert.deepEqual(await found({ until: first?.receivedAt ?? 0 }), []);
      for (const [text, id] of [
        ['DEAL:7', '50%_off'],
        ['0%_o', '50%_off'],
        ['harbour', 'A-1'],
        ['Österreich H', 'A-1'],
        ['MERGED', 'B'],
        ['LATE', 'Late'],
      ] as const)
        assert.deepEqual(await search({ text }), [id]);
      assert.deepEqual(await search({ text: '%' }), ['50%_off']);
      assert.deepEqual(await search({ text: '\\' }), []);
      assert.deepEqual(await search({ text: 'late', state: 'done' }), []);
    },
  );

  clause(
    'ENTRIES-071 searches no more of the matching entries than it is asked to, and continues from where it ended',
    async ({ port: inbox }) => {
      const rare = { ...entry('rare'), event: 'merged.deal' };
      await inbox.keep([rare, ...['1', '2', '3', '4'].map((id) => entry(id)), { ...entry('5'), service: 'sales_crm' }]);
      const query = { text: 'merged', most: 2, limit: 9, services: [] };
      const first = await inbox.search(query);
      assert.deepEqual([ids(first.entries), first.searchedTo?.seq], [[], 5]);
      const second = await inbox.search({ ...query, before: 5, most: 3 });
      assert.deepEqual([ids(second.entries), second.searchedTo?.seq], [[], 2]);
      const last = await inbox.search({ ...query, before: 2 });
      assert.deepEqual([ids(last.entries), last.searchedTo], [['rare'], null]);
      const ofCrm = await inbox.search({ ...query, service: 'sales_crm' });
      assert.deepEqual([ids(ofCrm.entries), ofCrm.searchedTo], [[], null]);
      assert.equal((await inbox.search({ ...query, most: 6 })).searchedTo, null);
      const ofTracker = await inbox.search({ ...query, service: 'tracker' });
      assert.deepEqual([ids(ofTracker.entries), ofTracker.searchedTo?.seq], [[], 4]);
    },
  );

  clause('ENTRIES-072 ends a search with the page, and says where', async ({ port: inbox, clock }) => {
    await inbox.keep(['1', '2'].map((id) => entry(id)));
    clock.advance(60_000);
    await inbox.keep(['3', '4'].map((id) => entry(id)));
    const first = await inbox.search({ text: 'issue', most: 9, limit: 3, services: [] });
    const [, , second] = await inbox.list({ limit: 3 });
    assert.deepEqual(ids(first.entries), ['4', '3', '2']);
    assert.equal(first.searchedTo?.seq, 2);
    assert.equal(first.searchedTo?.receivedAt, second?.receivedAt);
  });

  clause(
    'ENTRIES-073 begins a search with the entry that has that delivery id, however old, if the rest matches',
    async ({ port: inbox }) => {
      const other = { ...entry('old'), service: 'sales_crm' };
      await inbox.keep([entry('old'), other, ...['1', '2', '3'].map((id) => entry(id))]);
      const query = { text: 'old', most: 2, limit: 9, services: ['sales_crm', 'signing', 'tracker'] };
      const search = async (more: Partial<InboxSearch>) => ids((await inbox.search({ ...query, ...more })).entries);
      assert.deepEqual(await search({}), ['old', 'old']);
      assert.deepEqual(await search({ services: ['sales_crm'] }), ['old']);
      assert.deepEqual(await search({ state: 'dead' }), []);
      assert.deepEqual(await search({ service: 'sales_crm' }), ['old']);
      assert.deepEqual(await search({ isFaulty: true }), []);
      assert.deepEqual(await search({ text: 'OLD' }), []);
      assert.deepEqual(await search({ before: 5 }), []);
      assert.deepEqual(await search({ most: 9 }), ['old', 'old']);
      await inbox.keep([{ ...entry('4'), orderKey: 'older' }]);
      assert.deepEqual(await search({ limit: 1 }), ['old', 'old', '4']);
    },
  );

  clause('ENTRIES-042 lists entries of one state in pages, and never more than the limit', async ({ port: inbox }) => {
    await inbox.keep(['1', '2', '3', '4', '5'].map((id) => entry(id)));
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    await inbox.skip(3);
    assert.deepEqual(ids(await inbox.list({ state: 'pending', limit: 2 })), ['5', '4']);
    assert.deepEqual(ids(await inbox.list({ state: 'pending', limit: 2, before: 4 })), ['2']);
    assert.deepEqual(await inbox.list({ limit: 0 }), []);
  });

  clause('ENTRIES-060 stores the trace of an entry, and hands it out', async ({ port: inbox }) => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await inbox.keep([{ ...entry('1'), traceparent }, { ...entry('2'), traceparent: null }, entry('3')]);
    const claimed = await inbox.claim(claim());
    assert.deepEqual(
      claimed.map((one) => one.traceparent ?? null),
      [traceparent, null, null],
    );
    assert.equal((await inbox.find(1))?.traceparent, traceparent);
  });

  clause(
    'ENTRIES-067 claims in order of arrival, also an entry that was retried after those behind it were due',
    async ({ port: inbox, clock }) => {
      await inbox.keep(['1', '2', '3'].map((id) => entry(id)));
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 50, calls: 'vault' });
      clock.advance(60);
      assert.deepEqual(ids(await inbox.claim(claim('a', 3))), ['1', '2', '3']);
    },
  );

  clause(
    'ENTRIES-068 keeps the trace of an entry through a retry, an expired lease, its end and a replay',
    async ({ port: inbox, clock }) => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      await inbox.keep([{ ...entry('1'), traceparent }]);
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 0, calls: 'vault' });
      assert.equal((await claimOne(inbox)).traceparent, traceparent);
      clock.advance(20_000);
      const again = await claimOne(inbox, 'b');
      assert.equal(again.traceparent, traceparent);
      await inbox.end(again, { kind: 'dead', error: 'unreadable' });
      assert.equal((await inbox.find(1))?.traceparent, traceparent);
      await inbox.replay(1);
      assert.equal((await claimOne(inbox)).traceparent, traceparent);
    },
  );

  clause('ENTRIES-069 finds a text whatever the case of its letters, not of ASCII’s alone', async ({ port: inbox }) => {
    await inbox.keep([
      { ...entry('1'), event: 'Ärger.Ğ' },
      { ...entry('2'), event: 'strasse' },
    ]);
    const search = async (text: string) => ids((await inbox.search({ limit: 9, most: 9, services: [], text })).entries);
    for (const text of ['Ärger', 'ärger', 'ÄRGER']) assert.deepEqual(await search(text), ['1']);
    for (const text of ['ÄRGERS', 'argER', 'är.er', 'ä*', '^ärger', 'är[g]er', 'ä\\w', 'ä(']) {
      assert.deepEqual(await search(text), []);
    }
  });

  clause('ENTRIES-043 wakes no entry later than it is due, and no leased one', async ({ port: inbox, clock }) => {
    await inbox.keep(['1', '2', '3'].map((id) => entry(id)));
    await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 100, calls: 'vault' });
    await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 60_000, calls: 'vault' });
    const leased = await claimOne(inbox);
    assert.equal(await inbox.wake('vault', 500), 1);
    matches(await inbox.find(1), { availableAt: clock.now() + 100 });
    matches(await inbox.find(2), { availableAt: clock.now() + 500, attempts: 1, error: 'unavailable' });
    assert.deepEqual(await inbox.find(3), leased);
  });

  clause('ENTRIES-044 lists each awaited service once, and none without a failure', async ({ port: inbox }) => {
    await inbox.keep(['1', '2', '3', '4'].map((id) => ({ ...entry(id), calls: 'tracker' as const })));
    for (const calls of ['vault', 'vault', 'suite_crm'] as const) {
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 9_000, calls });
    }
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    assert.deepEqual((await inbox.awaited()).toSorted(), ['suite_crm', 'vault']);
  });

  clause(
    'ENTRIES-045 keeps no reference: values that were given or returned may be changed afterwards',
    async ({ port: inbox }) => {
      const given = [entry('1'), entry('2')];
      await inbox.keep(given);
      tamper(given);
      assert.deepEqual(ids(await inbox.list({ limit: 9 })), ['2', '1']);
      const claimed = await inbox.claim(claim('a', 1));
      const before = structuredClone(await inbox.find(1));
      for (const value of [claimed, await inbox.find(1), await inbox.list({ limit: 9 }), await inbox.counts()])
        tamper(value);
      assert.deepEqual(await inbox.find(1), before);
      assert.deepEqual(ids(await inbox.list({ limit: 9 })), ['2', '1']);
      assert.equal((await inbox.counts()).leased, 1);
    },
  );

  clause('ENTRIES-046 loses no entry of a record while others of it are processed', async ({ port: inbox }) => {
    await inbox.keep(Array.from({ length: 6 }, (_, index) => entry(String(index), index % 2 === 0 ? 'k' : 'l')));
    const order: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const claimed = await inbox.claim(claim(`owner ${turn}`, 10));
      for (const one of claimed) {
        order.push(one.deliveryId);
        await inbox.end(one, { kind: 'done', outcome: 'created' });
      }
    }
    assert.deepEqual(order, ['0', '1', '2', '3', '4', '5']);
  });

  clause(
    'ENTRIES-047 hands an entry to exactly one of two processes',
    async ({ port: inbox, beside }) => {
      const other = await beside();
      await inbox.keep(Array.from({ length: 20 }, (_, index) => entry(String(index), `k${index % 10}`)));
      const claims = [inbox, other, inbox, other].map((one, index) => one.claim(claim(`owner ${index}`, 4)));
      const all = (await Promise.all(claims)).flat();
      assert.equal(new Set(ids(all)).size, all.length);
      assert.equal(new Set(all.map(({ orderKey }) => orderKey)).size, all.length);
    },
    'processes',
  );

  clause(
    'ENTRIES-048 stores a delivery from two processes once, and each record’s deliveries in the order of their numbers',
    async ({ port: inbox, beside }) => {
      const other = await beside();
      const kept = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          [inbox, other].map((one) => one.keep([entry(String(index), 'k')])),
        ).flat(),
      );
      assert.equal(
        kept.reduce((sum, count) => sum + count, 0),
        10,
      );
      const seqs = (await inbox.list({ limit: 100 })).map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        seqs.toSorted((left, right) => right - left),
      );
      assert.equal((await inbox.claim(claim())).length, 1);
      assert.deepEqual(await other.claim(claim('b')), []);
    },
    'processes',
  );

  clause(
    'ENTRIES-049 accepts an ending from the process that claimed last',
    async ({ port: inbox, beside, clock }) => {
      const other = await beside();
      await inbox.keep([entry('1')]);
      const former = await claimOne(inbox, 'here');
      clock.advance(15_000);
      const latter = await claimOne(other, 'there');
      assert.equal(await inbox.end(former, { kind: 'done', outcome: 'created' }), false);
      assert.equal(await other.end(latter, { kind: 'done', outcome: 'updated' }), true);
      matches(await inbox.find(1), { state: 'done', outcome: 'updated' });
      for (let round = 0; round < 10; round += 1) {
        await inbox.keep([entry(`round ${round}`)]);
        const held = await claimOne(inbox);
        clock.advance(16_000);
        const [isEnded, taken] = await Promise.all([
          inbox.end(held, { kind: 'done', outcome: 'created' }),
          other.claim(claim('b')),
        ]);
        assert.equal(isEnded, taken.length === 0);
        for (const one of taken) assert.equal(await other.end(one, { kind: 'done', outcome: 'created' }), true);
      }
    },
    'processes',
  );

  clause(
    'ENTRIES-050 hands out only the first entry of a record while more arrive',
    async ({ port: inbox, beside }) => {
      const other = await beside();
      for (let round = 0; round < 5; round += 1) {
        const records = Array.from({ length: 10 }, (_, index) => `${round} k${index}`);
        // So many more that the call takes longer than several calls of one entry.
        const rest = Array.from({ length: 1500 }, (_, index) =>
          entry(`${round} rest ${index}`, `${round} ${index % 2 === 0 ? 'a' : 'z'}`),
        );
        let isKept = false;
        const keeping = inbox.keep([...records.map((key) => entry(`long ${key}`, key)), ...rest]).finally(() => {
          isKept = true;
        });
        const claimed: InboxEntry[] = [];
        for (const key of records) {
          if (isKept) break;
          await other.keep([entry(`short ${key}`, key)]);
          claimed.push(...(await other.claim(claim(key, 100))));
        }
        assert.equal(await keeping, 1510);
        claimed.push(...(await inbox.claim(claim('last', 100))));
        const worked = claimed.filter(({ orderKey }) => records.includes(orderKey));
        const all = (await inbox.list({ limit: 1520 })).toReversed();
        const firsts = records.map((key) => all.find(({ orderKey }) => orderKey === key)?.deliveryId);
        assert.deepEqual(new Set(ids(worked)), new Set(firsts));
        assert.equal(worked.length, records.length);
      }
    },
    'processes',
  );

  clause(
    'ENTRIES-051 stores concurrent calls whose records are in opposite orders',
    async ({ port: inbox, beside }) => {
      const other = await beside();
      const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
      const calls = Array.from({ length: 6 }, (_, call) =>
        (call % 2 === 0 ? keys : keys.toReversed()).map((key) => entry(`${call} ${key}`, key)),
      );
      const kept = await Promise.all(calls.map((call, index) => (index % 2 === 0 ? inbox : other).keep(call)));
      assert.deepEqual(
        kept,
        calls.map(() => keys.length),
      );
    },
    'processes',
  );

  clause('ENTRIES-052 stores an id once that arrives concurrently for several records', async ({ port: inbox }) => {
    const kept = await Promise.all(Array.from({ length: 8 }, (_, index) => inbox.keep([entry('1', `k${index}`)])));
    assert.deepEqual(
      kept.toSorted((left, right) => left - right),
      [0, 0, 0, 0, 0, 0, 0, 1],
    );
  });

  clause(
    'ENTRIES-053 either hands out an entry or skips it, when both are requested concurrently',
    async ({ port: inbox }) => {
      for (let round = 0; round < 3; round += 1) {
        await inbox.keep(Array.from({ length: 12 }, (_, index) => entry(`${round} ${index}`)));
        const seqs = (await inbox.list({ state: 'pending', limit: 12 })).map(({ seq }) => seq);
        const skipping = seqs.slice(0, 6).map((seq) => inbox.skip(seq));
        const claiming = inbox.claim(claim('a', 12));
        skipping.push(...seqs.slice(6).map((seq) => inbox.skip(seq)));
        const claimed = new Set((await claiming).map(({ seq }) => seq));
        assert.deepEqual(
          await Promise.all(skipping),
          seqs.map((seq) => !claimed.has(seq)),
        );
      }
    },
  );

  clause('ENTRIES-054 replays an entry once when many callers replay it concurrently', async ({ port: inbox }) => {
    await inbox.keep([entry('1')]);
    await inbox.end(await claimOne(inbox), { kind: 'dead', error: 'unreadable' });
    const replayed = await Promise.all([1, 2, 3, 4, 5].map(() => inbox.replay(1)));
    assert.equal(replayed.filter(Boolean).length, 1);
    matches(await inbox.find(1), { state: 'pending', attempts: 0, error: null });
  });

  clause('ENTRIES-056 hands each of many entries to exactly one of many claimants', async ({ port: inbox }) => {
    for (let call = 0; call < 3; call += 1) {
      await inbox.keep(Array.from({ length: 100 }, (_, index) => entry(`${call} ${index}`, `k${index % 5} ${call}`)));
    }
    const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (let round = 0; round < 10; round += 1) {
      const claimed = (await Promise.all(owners.map((owner) => inbox.claim(claim(owner, 300))))).flat();
      assert.equal(claimed.length, 15);
      assert.equal(new Set(ids(claimed)).size, 15);
      const ended = await Promise.all(claimed.map((one) => inbox.end(one, { kind: 'done', outcome: 'created' })));
      assert.ok(ended.every(Boolean));
    }
  });

  clause('ENTRIES-057 ends an entry once when many callers end it concurrently', async ({ port: inbox }) => {
    await inbox.keep(Array.from({ length: 5 }, (_, index) => entry(String(index))));
    for (const one of await inbox.claim(claim())) {
      const endings = Array.from({ length: 6 }, () => inbox.end(one, { kind: 'done', outcome: 'created' }));
      assert.equal((await Promise.all(endings)).filter(Boolean).length, 1);
    }
  });

  clause('ENTRIES-062 counts and lists faulty entries, which are done', async ({ port: inbox }) => {
    assert.equal(await inbox.faulty(), 0);
    await inbox.keep(['1', '2', '3'].map((id) => entry(id)));
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'refused', isFaulty: true });
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created', isFaulty: false });
    matches(await inbox.list({ limit: 5 }), [{ isFaulty: false }, { isFaulty: false }, { isFaulty: true }]);
    assert.equal(await inbox.faulty(), 1);
    assert.deepEqual(ids(await inbox.list({ limit: 5, isFaulty: true })), ['1']);
    assert.deepEqual(ids(await inbox.list({ limit: 5, isFaulty: false, state: 'done' })), ['2']);
    assert.deepEqual(ids(await inbox.list({ limit: 5, isFaulty: true, before: 1 })), []);
    assert.equal((await inbox.counts()).done, 2);
    assert.equal(await inbox.replay(1), true);
    matches(await inbox.find(1), { state: 'pending', isFaulty: false, outcome: null });
    assert.equal(await inbox.faulty(), 0);
  });

  clause(
    'ENTRIES-063 replays the oldest dead and faulty entries that have bodies, or one kind of them',
    async ({ port: inbox, clock }) => {
      await inbox.keep(['1', '2', '3', '4', '5', '6'].map((id) => entry(id)));
      const faulty = { kind: 'done', outcome: 'refused', isFaulty: true } as const;
      const dead = { kind: 'dead', error: 'unreadable' } as const;
      await inbox.end(await claimOne(inbox), faulty);
      clock.advance(1);
      assert.equal(await inbox.prune(clock.now()), 1);
      for (const ending of [faulty, dead, faulty, { kind: 'done', outcome: 'created' }, dead] as const)
        await inbox.end(await claimOne(inbox), ending);
      assert.equal(await inbox.replayFailed({ limit: 2 }), 2);
      const states = async () => (await inbox.list({ limit: 9 })).map(({ state }) => state).toReversed();
      assert.deepEqual(await states(), ['done', 'pending', 'pending', 'done', 'done', 'dead']);
      assert.equal(await inbox.replayFailed({ only: 'dead', limit: 9 }), 1);
      assert.deepEqual(await states(), ['done', 'pending', 'pending', 'done', 'done', 'pending']);
      assert.equal(await inbox.replayFailed({ only: 'faulty', limit: 9 }), 1);
      assert.deepEqual(await states(), ['done', 'pending', 'pending', 'pending', 'done', 'pending']);
      assert.equal(await inbox.replayFailed({ limit: 9 }), 0);
      matches(await inbox.find(4), { state: 'pending', attempts: 0, outcome: null, isFaulty: false });
    },
  );

  clause(
    'ENTRIES-905 stores no readable body when the encryption wraps it',
    async ({ port: inbox, raw }) => {
      await inbox.keep([{ ...entry('1'), body: '{"text":"what-nobody-reads"}' }]);
      const stored = await raw();
      assert.ok(stored.includes('Issue.create'));
      assert.ok(!stored.includes('what-nobody-reads'), 'A body is stored as it is');
    },
    'raw',
    'encrypted',
  );

  clause(
    'ENTRIES-906 stores bodies as given, if nothing is declared to encrypt them before',
    async ({ port: inbox, raw }) => {
      await inbox.keep([{ ...entry('1'), body: 'what-everybody-reads' }]);
      assert.ok((await raw()).includes('what-everybody-reads'));
    },
    'raw',
    'not encrypted',
  );

  lifeCycle(clause, {
    prefix: 'ENTRIES',
    fill: async (inbox) => {
      await inbox.keep([entry('1'), entry('2', 'k'), { ...entry('3', 'k'), calls: 'vault' }, entry('4')]);
      await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
      await inbox.end(await claimOne(inbox), { kind: 'retry', error: 'unavailable', delayMs: 9_000, calls: 'vault' });
      await claimOne(inbox, 'b');
    },
    read: async (inbox) => [
      await inbox.list({ limit: 10 }),
      await inbox.body(placeOf(1)),
      await inbox.body(placeOf(4)),
      await inbox.counts(),
      await inbox.awaited(),
      await inbox.oldestOpen(),
      await inbox.lastReceived('tracker'),
    ],
  });
}

function storeClauses(clause: Clause<WebhookInboxStore>): void {
  clause('ENTRIES-030 lists stored bodies in order, in pages, without pruned ones', async ({ port: inbox, clock }) => {
    await inbox.keep(['1', '2', '3', '4'].map((id) => entry(id)));
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
    await inbox.prune(clock.now() + 1);
    const page = await inbox.bodies({ after: -1, limit: 2 });
    assert.deepEqual(
      page,
      [2, 3].map((seq) => ({ ...placeOf(seq), body: `{"id":"${seq}"}` })),
    );
    assert.deepEqual(await inbox.bodies({ after: 3, limit: 2 }), [{ ...placeOf(4), body: '{"id":"4"}' }]);
    assert.deepEqual(await inbox.bodies({ after: 4, limit: 2 }), []);
  });

  clause('ENTRIES-031 rewrites bodies that are unchanged, and leaves the others', async ({ port: inbox }) => {
    await inbox.keep([entry('1'), entry('2'), entry('3')]);
    const changes = [
      { seq: 1, before: '{"id":"1"}', after: 'one' },
      { seq: 2, before: 'no longer so', after: 'two' },
      { seq: 9, before: '', after: 'nine' },
    ];
    assert.equal(await inbox.rewriteBodies(changes), 1);
    assert.equal(await inbox.rewriteBodies([]), 0);
    assert.equal(await inbox.body(placeOf(1)), 'one');
    assert.equal(await inbox.body(placeOf(2)), '{"id":"2"}');
    matches(await inbox.find(1), { state: 'pending', attempts: 0, event: 'Issue.create' });
  });

  clause('ENTRIES-070 does not bring a pruned body back', async ({ port: inbox, clock }) => {
    await inbox.keep([entry('1')]);
    await inbox.end(await claimOne(inbox), { kind: 'done', outcome: 'created' });
    clock.advance(1);
    assert.equal(await inbox.prune(clock.now()), 1);
    for (const before of ['{"id":"1"}', ''])
      assert.equal(await inbox.rewriteBodies([{ seq: 1, before, after: 'one' }]), 0);
    assert.equal(await inbox.body(placeOf(1)), null);
    assert.deepEqual(await inbox.bodies({ after: 0, limit: 9 }), []);
  });

  clause('ENTRIES-055 rewrites a body once when many callers rewrite the same one', async ({ port: inbox }) => {
    await inbox.keep([entry('1')]);
    const texts = ['one', 'two', 'three', 'four'];
    const rewritten = await Promise.all(
      texts.map((after) => inbox.rewriteBodies([{ seq: 1, before: '{"id":"1"}', after }])),
    );
    assert.equal(
      rewritten.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.equal(await inbox.body(placeOf(1)), texts[rewritten.indexOf(1)]);
  });
}
