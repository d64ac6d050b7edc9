import { expect, it } from 'vitest';
import { Attention } from '#application/attention/attention.ts';
import type { BudgetLeft } from '#application/ports/provider-budgets.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { guest, type User } from '#domain/users/user.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { MemoryWebhookRegistrations } from '#test/doubles/memory-webhook-registrations.ts';
import { startAt } from '#test/support/webhooks/webhook-harness.ts';

const admin: User = { ...guest, id: 1, email: 'ada@example.com', isAdmin: true, permissions: ['tracker', 'vault'] };
const member: User = { ...admin, id: 2, isAdmin: false };

function setUp() {
  const clock = new SettableClock(startAt);
  const connections = new MemoryConnections();
  const inbox = new MemoryWebhookInbox(clock);
  const reactionLog = new MemoryReactionLog();
  const registrations = new MemoryWebhookRegistrations();
  const state = { trouble: null as string | null, waiting: 0, lists: 0, tools: 0 };
  const approvals: { userId: number; at: number; expiresAt: number }[] = [];
  const budgets: BudgetLeft[] = [];
  const attention = new Attention({
    connections: {
      list: async (userId) => {
        state.lists += 1;
        return connections.list(userId);
      },
    },
    approvals: {
      list: async ({ userId, limit }) =>
        Object.assign([], approvals.filter((one) => one.userId === userId).slice(0, limit)),
    },
    reactions: { count: async () => state.waiting },
    inbox,
    reactionLog,
    registrations,
    budgets: { leftOf: async () => budgets },
    waitingTools: async () => [
      { service: 'tracker', count: state.tools },
      { service: 'vault', count: 0 },
    ],
    trouble: () => state.trouble,
    clock,
  });
  const connect = (userId: number, connectionState: ConnectionState, since: number) => {
    const record: TokenRecord = {
      userId,
      service: 'tracker',
      authMethod: 'oauth',
      accessToken: 'a',
      refreshToken: null,
      scope: null,
      expiresAt: null,
      extra: {},
      updatedAt: since,
    };
    return connections.save(record, { state: connectionState, since, reason: null });
  };
  const end = async (count: number, ending: 'dead' | 'faulty') => {
    const before = (await inbox.list({ limit: 1 }))[0]?.seq ?? 0;
    const keys = Array.from({ length: count }, (_, index) => `${before + index}`);
    await inbox.keep(
      keys.map((deliveryId) => ({ service: 'tracker', deliveryId, orderKey: deliveryId, event: 'e', body: '{}' })),
    );
    for (const entry of await inbox.claim({ owner: 'a', leaseMs: 1_000, limit: count })) {
      const done = { kind: 'done', outcome: '', isFaulty: true } as const;
      await inbox.end(entry, ending === 'dead' ? { kind: 'dead', error: 'no' } : done);
    }
  };
  return { clock, connections, reactionLog, registrations, state, approvals, budgets, attention, connect, end };
}

it('lists nothing where nothing needs anybody, and nothing for the guest (PAGE-029)', async () => {
  const { attention, connect } = setUp();
  await connect(1, 'connected', startAt);
  expect(await attention.of(admin)).toEqual([]);
  expect(await attention.of(guest)).toEqual([]);
});

it('lists for users what is theirs, and for administrators also what is the server’s (PAGE-029)', async () => {
  const { attention, connect, end, state, approvals, reactionLog, registrations } = setUp();
  await connect(2, 'reconnect', startAt - 5_000);
  approvals.push({ userId: 2, at: startAt - 9, expiresAt: startAt + 9 }, { userId: 2, at: 0, expiresAt: startAt });
  await end(2, 'dead');
  await end(3, 'faulty');
  state.trouble = 'The database is away.';
  state.waiting = 2;
  const call = {
    key: 'k',
    reaction: 'R/a b.md',
    operation: 'tracker.issues.create',
    seq: 1,
    depth: 1,
    at: startAt - 7,
  };
  await reactionLog.begin(call);
  await reactionLog.end('k', { state: 'unknown', outcome: 'no answer', at: startAt });
  const line: WebhookRegistration = {
    userId: 1,
    service: 'tracker',
    name: 'issues',
    events: [],
    url: 'https://portolan.example/webhooks/tracker',
    secretFingerprint: null,
    account: null,
    state: 'wanted',
    since: startAt - 3,
    remoteId: null,
    registeredAt: null,
    expiresAt: null,
    checkedAt: null,
    failures: 2,
    retryAt: null,
    reason: 'The tracker refused it.',
    version: 0,
  };
  await registrations.keep(line);
  await registrations.keep({ ...line, name: 'well', state: 'active', failures: 0 });
  const one = { service: null, count: 1, isMore: false, since: null, detail: null };
  expect(await attention.of(member)).toEqual([
    { ...one, kind: 'connection', service: 'tracker', since: startAt - 5_000, page: '/page#tracker' },
    { ...one, kind: 'approval', since: startAt - 9, page: '/approvals' },
  ]);
  expect(await attention.of(admin)).toEqual([
    { ...one, kind: 'storage', page: '/setup', detail: 'The database is away.' },
    { ...one, kind: 'reaction_approval', count: 2, page: '/approvals' },
    { ...one, kind: 'reaction_call', since: startAt - 7, page: '/reactions/one?path=R%2Fa%20b.md' },
    { ...one, kind: 'delivery_failed', count: 2, since: startAt, page: '/deliveries?state=dead' },
    { ...one, kind: 'reaction_failed', count: 3, since: startAt, page: '/deliveries?state=faulty' },
    {
      ...one,
      kind: 'webhook',
      service: 'tracker',
      since: startAt - 3,
      page: '/page#tracker',
      detail: 'The tracker refused it.',
    },
  ]);
});

it('looks for a hundred of a kind, and says that there are more (PAGE-029)', async () => {
  const { attention, end } = setUp();
  await end(120, 'faulty');
  expect(await attention.of(admin)).toMatchObject([{ kind: 'reaction_failed', count: 100, isMore: true }]);
});

it('warns of a limit of which a tenth is left, and of no other (PAGE-029)', async () => {
  const { attention, connect, budgets } = setUp();
  await connect(2, 'connected', startAt);
  budgets.push(
    { name: 'a day', points: 1_000, left: 100, resetsInMs: 5 },
    { name: 'an hour', points: 1_000, left: 101, resetsInMs: 5 },
    { name: 'unknown', points: null, left: 0, resetsInMs: 5 },
  );
  expect(await attention.of(member)).toMatchObject([
    { kind: 'budget', service: 'tracker', detail: 'a day: 100 of 1000 left' },
  ]);
});

it('counts for the navigation once in ten seconds (PAGE-030)', async () => {
  const { attention, connect, state, clock } = setUp();
  await connect(2, 'reconnect', startAt);
  for (let pages = 0; pages < 5; pages += 1) expect(await attention.count(member)).toBe(1);
  expect(state.lists).toBe(1);
  await connect(2, 'connected', startAt + 1);
  clock.advance(10_000);
  expect(await attention.count(member)).toBe(0);
  expect(state.lists).toBe(2);
});

it('lists the tools that wait as they are after a change, though they are read once a minute (REMOTE-044)', async () => {
  const { attention, state } = setUp();
  state.tools = 3;
  expect([await attention.count(admin), await attention.of(admin)]).toMatchObject([1, [{ count: 3 }]]);
  state.tools = 0;
  expect(await attention.of(admin)).toHaveLength(1);
  attention.forgetTools();
  expect([await attention.count(admin), await attention.of(admin)]).toEqual([0, []]);
});

it('lists the tools of an MCP server that wait, for administrators only (REMOTE-044)', async () => {
  const { attention, state } = setUp();
  state.tools = 3;
  expect(await attention.of(admin)).toMatchObject([
    { kind: 'remote_tools', service: 'tracker', count: 3, page: '/setup/servers/tracker' },
  ]);
  expect(await attention.of(member)).toEqual([]);
});
