import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import type { Listener } from '#adapters/mcp/changes/listener.ts';
import { Listeners, type ListeningTiming } from '#adapters/mcp/changes/listeners.ts';
import { changedLists, grantedServices, shownServices } from '#adapters/mcp/changes/shown-services.ts';
import { openDispatcher } from '#adapters/mcp/open-endpoint.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { limitedTo } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { KeptLog } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { everything } from '#test/support/mcp/mcp-ears.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const userOf = (id: number): User => ({
  id,
  email: `${id}@example.com`,
  permissions: serviceKeys,
  isAdmin: false,
  signedOutBefore: null,
});

const removers: (() => void)[] = [];
afterEach(() => {
  for (const remove of removers.splice(0)) remove();
});

/** Listeners over people that a test may change, and what each of them heard. */
function harness(timing: ListeningTiming = { gatherMs: 1, lookMs: 3_600_000, usersALook: 50 }) {
  const connected = new Map<number, ReadonlySet<ServiceKey>>();
  const looked: number[] = [];
  const heard: string[] = [];
  const warnings: unknown[] = [];
  const isBroken = { now: false };
  const teamMembers = new Set<number>();
  const parts = {
    users: {
      find: async (id: number) => {
        looked.push(id);
        if (isBroken.now) throw new Error('no database');
        return userOf(id);
      },
    },
    connections: {
      overview: async (id: number) => ({
        services: connected.get(id) ?? new Set(serviceKeys),
        isInTeamVault: teamMembers.has(id),
      }),
    },
    noteChanges: new EventBus<NoteChange>(),
    accountChanges: new EventBus<AccountChange>(),
    clock: systemClock,
    logger: Object.assign(new KeptLog(), { warn: (fields: unknown) => void warnings.push(fields) }),
  };
  const listeners = new Listeners({ ...parts, offered: ['tools'], services: serviceKeys, timing });
  const listen = (userId: number): void => {
    const listener: Listener = {
      userId,
      granted: serviceKeys,
      grantId: null,
      sessionId: null,
      choice: everyTool,
      lists: ['tools', 'resources'],
      since: null,
      shown: null,
      watchedAs: (address) => (address === 'vault://a.md' ? address : undefined),
      notify: (method) => void heard.push(`${userId} ${method.replace('notifications/', '')}`),
      end: () => {},
    };
    removers.push(listeners.add(listener));
  };
  return { ...parts, connected, teamMembers, looked, heard, warnings, isBroken, listen };
}

const soon = { timeout: 60_000 };

describe('subscribed clients', () => {
  it('are checked in turn, a few users at a time, each in the end', async () => {
    const { connected, looked, heard, listen } = harness({ gatherMs: 1, lookMs: 5, usersALook: 2 });
    for (const id of [1, 2, 3, 4, 5]) listen(id);
    await expect.poll(() => [1, 2, 3, 4, 5].every((id) => looked.includes(id)), soon).toBe(true);
    connected.set(4, new Set());
    await expect.poll(() => heard, soon).toEqual(['4 tools/list_changed']);
    looked.length = 0;
    await expect.poll(() => looked.length, soon).toBeGreaterThanOrEqual(10);
    expect(looked.slice(0, 10).toSorted((left, right) => left - right)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  });

  it('hear of lists that this server has, and of no others', async () => {
    const { noteChanges, heard, listen } = harness();
    listen(1);
    noteChanges.publish({ userId: 1, path: 'a.md', kind: 'made' });
    await expect.poll(() => heard, soon).toEqual(['1 resources/updated']);
  });

  it('hear of the team’s notes if they work in its vault, and of their own if they do not', async () => {
    const { noteChanges, teamMembers, heard, listen } = harness();
    teamMembers.add(1).add(3);
    for (const id of [1, 2, 3]) listen(id);
    noteChanges.publish({ userId: null, path: 'a.md', kind: 'changed' });
    await expect.poll(() => heard.toSorted(), soon).toEqual(['1 resources/updated', '3 resources/updated']);
    noteChanges.publish({ userId: 2, path: 'a.md', kind: 'changed' });
    await expect.poll(() => heard.length, soon).toBe(3);
    expect(heard[2]).toBe('2 resources/updated');
  });

  it('hear of a change a few users at a time, between which other work goes on', async () => {
    const { noteChanges, teamMembers, looked, heard, listen } = harness({
      gatherMs: 1,
      lookMs: 3_600_000,
      usersALook: 2,
    });
    for (const id of [1, 2, 3, 4, 5]) {
      teamMembers.add(id);
      listen(id);
    }
    await expect.poll(() => looked.length, soon).toBe(5);
    noteChanges.publish({ userId: null, path: 'a.md', kind: 'changed' });
    const heardByTurns = new Set<number>();
    while (heard.length < 5) {
      await nextTurn();
      heardByTurns.add(heard.length);
    }
    expect([...heardByTurns].filter((count) => count > 0 && count < 5)).not.toEqual([]);
    expect(heard).toHaveLength(5);
  });

  it('that open many connections at once are checked once for all of them', async () => {
    const { noteChanges, teamMembers, looked, heard, listen } = harness();
    teamMembers.add(1);
    for (let count = 0; count < 10; count += 1) listen(1);
    noteChanges.publish({ userId: null, path: 'a.md', kind: 'changed' });
    await expect.poll(() => heard.length, soon).toBe(10);
    // New ones, a round, and the change.
    expect(looked.length).toBeLessThanOrEqual(3);
  });

  it('hear nothing while their permissions are unknown, and hear again afterwards', async () => {
    const { noteChanges, looked, heard, warnings, isBroken, listen } = harness();
    listen(1);
    await expect.poll(() => looked.length, soon).toBe(2);
    isBroken.now = true;
    noteChanges.publish({ userId: 1, path: 'a.md', kind: 'changed' });
    await expect.poll(() => warnings.length, soon).toBe(1);
    expect(heard).toEqual([]);
    isBroken.now = false;
    noteChanges.publish({ userId: 1, path: 'a.md', kind: 'changed' });
    await expect.poll(() => heard, soon).toEqual(['1 resources/updated']);
  });

  it('cost nothing when there are none: no notification, no check', async () => {
    const { noteChanges, accountChanges, looked, listen } = harness({ gatherMs: 1, lookMs: 1, usersALook: 50 });
    expect(noteChanges.hasListeners).toBe(false);
    listen(1);
    expect(noteChanges.hasListeners).toBe(true);
    for (const remove of removers.splice(0)) remove();
    expect([noteChanges.hasListeners, accountChanges.hasListeners]).toEqual([false, false]);
    await delay(20);
    const before = looked.length;
    await delay(20);
    expect(looked).toHaveLength(before);
  });
});

describe('the lists that changed', () => {
  const shown = (permissions: readonly ServiceKey[], connected: readonly ServiceKey[]) => {
    const user = { ...userOf(1), permissions };
    return shownServices(user, new Set(connected), grantedServices(user), serviceKeys);
  };
  it.each<[string, number, number, readonly ServiceKey[], readonly string[]]>([
    ['nothing', shown(['vault'], ['vault']), shown(['vault'], ['vault']), serviceKeys, []],
    ['a connection', shown(['tracker'], []), shown(['tracker'], ['tracker']), serviceKeys, ['tools']],
    ['the vault', shown(['vault'], []), shown(['vault'], ['vault']), serviceKeys, ['tools', 'resources']],
    ['a right without a connection', shown([], []), shown(['tracker'], []), serviceKeys, ['prompts']],
    ['a connection without a right', shown([], []), shown([], ['tracker']), serviceKeys, []],
    ['a service that was not chosen', shown(['vault'], []), shown(['vault'], ['vault']), ['tracker'], ['resources']],
  ])('are reported by %s', (_, before, after, chosen, lists) => {
    expect(changedLists(before, after, chosen, serviceKeys)).toEqual(lists);
  });

  it('are those that an access token includes', () => {
    const limited = limitedTo(new Map([['tracker', 'read']]), userOf(1));
    const granted = grantedServices(limited);
    const withVault = shownServices(userOf(1), new Set(['vault', 'tracker']), granted, serviceKeys);
    expect(withVault).toBe(shownServices(userOf(1), new Set(['tracker']), granted, serviceKeys));
  });
});

describe('subscriptions/listen on standard input and output', () => {
  const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };

  /** A client by lines: what it sends, and what it was sent. */
  const serve = () => {
    const { noteChanges, accountChanges, users, connected, connections, looked } = harness();
    const gateway = new FakeGateway();
    const { dispatcher, listeners, subscriptions } = openDispatcher({
      catalog: fakeCatalog,
      run: runOver(gateway),
      users,
      connections,
      noteChanges,
      accountChanges,
      clock: systemClock,
      logger: new KeptLog(),
      version: '1.2.3',
      baseUrl: 'http://localhost:3000',
      stateKey: new Uint8Array(32),
      listening: { gatherMs: 1, lookMs: 3_600_000, usersALook: 50 },
    });
    const input = new PassThrough();
    const output: unknown[] = [];
    const lines = createInterface({ input });
    const write = (line: string) => void output.push(JSON.parse(line));
    const client = { current: async () => userOf(1), since: null, send: write, end: () => {} };
    const transport = new LineTransport({ dispatcher, listeners, now: () => systemClock.now() });
    const served = transport.serve(userOf(1), client, lines);
    const send = (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const connect = (...services: readonly ServiceKey[]) => {
      connected.set(1, new Set(services));
      accountChanges.publish({ userId: 1 });
    };
    const end = async () => {
      input.end();
      await served;
    };
    return { send, output, connect, looked, subscriptions, end };
  };
  const listen = (id: number, notifications: object = everything()) => ({
    id,
    method: 'subscriptions/listen',
    params: { _meta: envelope, notifications },
  });
  const acknowledged = (id: number, notifications: object) => ({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [subscriptionId]: id }, notifications },
  });
  const changed = (id: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: { _meta: { [subscriptionId]: id } },
  });

  it('sends each subscription under its own id, until it is cancelled', async () => {
    const { send, output, connect, looked, end } = serve();
    send(listen(1));
    send(listen(2));
    await expect.poll(() => output, soon).toHaveLength(2);
    expect(output).toEqual([1, 2].map((id) => acknowledged(id, { toolsListChanged: true })));
    await expect.poll(() => looked.length, soon).toBeGreaterThanOrEqual(3);
    connect('tracker');
    await expect.poll(() => output.slice(2), soon).toEqual([changed(1), changed(2)]);
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    send({ id: 9, method: 'ping' });
    await expect.poll(() => output.slice(4), soon).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
    connect('vault');
    await expect.poll(() => output.slice(5), soon).toEqual([changed(2)]);
    await end();
  });

  it('ends with a result when the server does', async () => {
    const { send, output, subscriptions, end } = serve();
    send(listen(1));
    await expect.poll(() => output, soon).toHaveLength(1);
    subscriptions.close();
    await expect
      .poll(() => output.slice(1), soon)
      .toEqual([
        {
          jsonrpc: '2.0',
          id: 1,
          result: {
            resultType: 'complete',
            _meta: {
              'io.modelcontextprotocol/serverInfo': { name: 'portolan', title: 'Portolan', version: '1.2.3' },
              [subscriptionId]: 1,
            },
          },
        },
      ]);
    await end();
  });

  it('sends nothing unasked to a client that has started nothing', async () => {
    const { output, connect, send, looked, end } = serve();
    await expect.poll(() => looked.length, soon).toBeGreaterThan(0);
    connect('tracker');
    await expect.poll(() => looked.length, soon).toBeGreaterThan(1);
    send({ id: 9, method: 'ping' });
    await expect.poll(() => output, soon).toEqual([{ jsonrpc: '2.0', id: 9, result: {} }]);
    await end();
  });
});
