import { beforeEach, expect, it, vi } from 'vitest';
import type { AccountChange, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import type { MessageListener } from '#adapters/contracts/server-messages.ts';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import { accounts, notes as ofNotes, RelayedChanges, resources } from '#adapters/messages/relayed-changes.ts';
import { SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { memoryStores } from '#bootstrap/package/testing.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { wrapStores } from '#bootstrap/stores/wrap-stores.ts';
import { connectedSince } from '#domain/connections/connection-status.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';
import { startAt } from '#test/support/webhooks/webhook-harness.ts';

const logger = openLogger('silent');
const secrets = ['a secret of this installation, long enough'];

/** Messages of a server that hears everything, so that its caches keep what they know. */
class HearingMessages extends MemoryServerMessages {
  readonly #listeners = new Set<MessageListener>();

  override listen(listener: MessageListener): () => void {
    this.#listeners.add(listener);
    return super.listen(listener);
  }

  miss(): void {
    for (const { missed } of this.#listeners) missed();
  }

  override isHearing(): boolean {
    return true;
  }
}

let hub: Set<MemoryServerMessages>;
let clock: SettableClock;
let stores: ReturnType<typeof memoryStores>;
beforeEach(() => {
  hub = new Set();
  clock = new SettableClock(startAt);
  stores = memoryStores();
});

function openServer(serverId: string) {
  const messages = new HearingMessages(hub, serverId);
  const others = new SealedMessages(messages, { box: boxFor('messages', secrets), clock, logger });
  const changes = new RelayedChanges(accounts, others);
  const notes = new RelayedChanges(ofNotes, others);
  return {
    messages,
    others,
    notes,
    changes,
    ...wrapStores(stores, { secrets, services: serviceKeys, changes, others, logger }),
  };
}

it('a permission revoked on one server is gone on the other, which caches users for longer (PEER-001)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const added = await one.users.add({
    email: 'a@example.com',
    passwordHash: '',
    permissions: ['vault'],
    isAdmin: true,
  });
  const id = added.ok ? added.value.id : 0;
  await two.users.find(id);
  const heard = vi.fn<(change: AccountChange) => void>();
  two.changes.listen(heard);
  await one.users.change(id, { permissions: [] });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ userId: id }));
  expect((await two.users.find(id))?.permissions).toEqual([]);
  expect(heard).toHaveBeenCalledTimes(1);
});

it('a connection stored by one server is used by the other (PEER-001)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const record = tokenRecord('tracker', {});
  expect(await two.connections.overview(record.userId)).toMatchObject({ services: new Set() });
  const heard = vi.fn<(change: AccountChange) => void>();
  two.changes.listen(heard);
  await one.connections.save(record, connectedSince(1));
  await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  expect(await two.connections.overview(record.userId)).toMatchObject({ services: new Set(['tracker']) });
});

it('a grant revoked on one server is gone on the other, which caches grants for longer (GRANT-003, PEER-001)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const grant = {
    scope: '*',
    switchedOff: [],
    userId: 7,
    clientId: 'c',
    clientName: 'App',
    since: 1,
    ask: null,
    lastUsedAt: null,
  };
  for (const id of ['first', 'second']) await one.grants.keep({ ...grant, id });
  for (const id of ['first', 'second']) expect(await two.grants.find(id)).toMatchObject({ id });
  const heard = vi.fn<(change: AccountChange) => void>();
  two.changes.listen(heard);
  await one.grants.remove(7, 'first');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ userId: 7 }));
  expect([await two.grants.find('first'), await two.grants.find('second')]).toMatchObject([null, { id: 'second' }]);
  await stores.grants.remove(7, 'second');
  expect(await two.grants.find('second')).toMatchObject({ id: 'second' });
  two.messages.miss();
  expect(await two.grants.find('second')).toBeNull();
});

it('a server that may have missed messages reads everything again (PEER-002)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const added = await one.users.add({
    email: 'a@example.com',
    passwordHash: '',
    permissions: ['vault'],
    isAdmin: true,
  });
  const id = added.ok ? added.value.id : 0;
  await two.users.find(id);
  await stores.users.change(id, { permissions: [] });
  expect((await two.users.find(id))?.permissions).toEqual(['vault']);
  two.messages.miss();
  expect((await two.users.find(id))?.permissions).toEqual([]);
});

it('a change of a note is sent to the other servers, but not of one that each of them sees in the shared folder (PEER-001)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const [atOne, atTwo]: [NoteChange[], NoteChange[]] = [[], []];
  one.notes.listen((change) => atOne.push(change));
  two.notes.listen((change) => atTwo.push(change));
  expect(one.notes.hasListeners).toBe(true);
  const ofTeam = { userId: null, path: 'a.md', kind: 'changed' } as const;
  const ofPerson = { userId: 7, path: 'b.md', kind: 'changed' } as const;
  one.notes.publish(ofTeam);
  one.notes.publish(ofPerson);
  await vi.waitFor(() => expect(atTwo).toEqual([ofPerson]));
  expect(atOne).toEqual([ofTeam, ofPerson]);
});

it('one server publishes a change of a resource to the others once, however many deliveries change it (PEER-001)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const [sent, heard] = [new RelayedChanges(resources, one.others), new RelayedChanges(resources, two.others)];
  const changes: ResourceChange[] = [];
  heard.listen((change) => changes.push(change));
  for (let times = 0; times < 5; times++) sent.publish({ address: 'portolan://a' });
  sent.publish({ address: 'portolan://b' });
  await vi.waitFor(() => expect(changes).toHaveLength(2));
  expect(changes).toEqual([{ address: 'portolan://a' }, { address: 'portolan://b' }]);
});

it('a server accepts only messages encrypted with its key, and sends nothing in the clear (PEER-004)', async () => {
  const one = openServer('one');
  const seen: string[] = [];
  const spy = new MemoryServerMessages(hub);
  spy.listen({ heard: (text) => void seen.push(text), missed: () => undefined });
  const foreign = new SealedMessages(new MemoryServerMessages(hub, 'foreign'), {
    box: boxFor('messages', ['another secret, of another installation']),
    clock,
    logger,
  });
  const heard: unknown[] = [];
  one.others.subscribe('account', (body) => heard.push(body));
  const two = openServer('two');
  spy.publish('{"from":"spy","topic":"account","body":{"userId":1}}');
  foreign.publish('account', { userId: 2 });
  two.others.publish('account', { userId: 'a secret thing' });
  two.others.publish('account', { userId: 3 }, 'nobody');
  two.others.publish('account', { userId: 4 }, 'one');
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual([{ userId: 'a secret thing' }, { userId: 4 }]);
  expect(seen.join('\n')).not.toContain('a secret thing');
});

it('a server ignores a message that is repeated or 30 s late, and counts a late one as missed (PEER-005)', async () => {
  const [one, two] = [openServer('one'), openServer('two')];
  const spy = new MemoryServerMessages(hub, 'spy');
  const seen: string[] = [];
  spy.listen({ heard: (text) => void seen.push(text), missed: () => undefined });
  const heard: unknown[] = [];
  let missed = 0;
  one.others.subscribe('account', (body) => heard.push(body));
  one.others.onMissed(() => {
    missed += 1;
  });
  for (const userId of [1, 2]) two.others.publish('account', { userId });
  await vi.waitFor(() => expect([heard.length, seen.length]).toEqual([2, 2]));
  for (const text of [...seen, ...seen]) spy.publish(text);
  two.others.publish('account', { userId: 3 });
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ userId: 3 }));
  expect([heard.length, missed]).toEqual([3, 0]);
  const fresh = openServer('fresh');
  fresh.others.subscribe('account', (body) => heard.push(body));
  fresh.others.onMissed(() => {
    missed += 1;
  });
  clock.advance(30_001);
  for (const text of seen) spy.publish(text);
  await vi.waitFor(() => expect(missed).toBe(3));
  expect(heard).toHaveLength(3);
});
