import { expect, it } from 'vitest';
import {
  notifyingApprovals,
  notifyingConnections,
  notifyingReactionLog,
  notifyingUsers,
} from '#adapters/stores/notifying-stores.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { Notification } from '#domain/notifications/notification.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { MemoryConnections } from '#test/doubles/memory-connections.ts';
import { MemoryNotifications } from '#test/doubles/memory-notifications.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

type Noted = Omit<Notification, 'at'>;

function remembering() {
  const noted: Noted[] = [];
  const notify = { run: async (one: Noted) => void noted.push(one), outgoing: () => [], wake: () => undefined };
  return { noted, notify };
}

const record: TokenRecord = {
  userId: 7,
  service: 'tracker',
  authMethod: 'oauth',
  accessToken: 'a',
  refreshToken: 'r',
  expiresAt: null,
  scope: null,
  extra: {},
  updatedAt: 1,
};
const place = { userId: 7, service: 'tracker' };
const status = (state: ConnectionState, since: number) => ({ state, since, reason: null });

it('a connection that needs its user is notified once, and when it works again (NOTIFY-009)', async () => {
  const { noted, notify } = remembering();
  const inner = new MemoryConnections();
  const connections = notifyingConnections(inner, notify);
  await connections.save(record, status('connected', 1));
  await connections.changeStatus(place, status('degraded', 2));
  expect(noted).toEqual([]);
  await connections.changeStatus(place, status('reconnect', 3));
  await connections.changeStatus(place, status('reconnect', 4));
  expect(noted.map(({ kind }) => kind)).toEqual(['connection.broken']);
  await connections.save({ ...record, updatedAt: 5 }, status('connected', 5));
  expect(noted.map(({ kind }) => kind)).toEqual(['connection.broken', 'connection.healed']);
  expect(noted[0]).toMatchObject({ userId: 7, subject: { service: 'tracker' } });
  await connections.changeStatus(place, status('reconnect', 6));
  expect(await connections.replace({ ...record, updatedAt: 5 }, { ...record, accessToken: 'b', updatedAt: 7 })).toBe(
    true,
  );
  expect(noted.map(({ kind }) => kind)).toEqual([
    'connection.broken',
    'connection.healed',
    'connection.broken',
    'connection.healed',
  ]);
  expect(new Set(noted.map(({ kind, occasion }) => `${kind} ${occasion}`)).size).toBe(4);
});

it('two servers that find the same connection broken name the same occasion (NOTIFY-003)', async () => {
  const { noted, notify } = remembering();
  const inner = new MemoryConnections();
  await inner.save(record, status('connected', 1));
  const both = [notifyingConnections(inner, notify), notifyingConnections(inner, notify)];
  await Promise.all(both.map((one) => one.changeStatus(place, status('reconnect', 3))));
  expect(new Set(noted.map(({ occasion }) => occasion)).size).toBe(1);
});

it('nothing is said of a connection that is not there (NOTIFY-009)', async () => {
  const { noted, notify } = remembering();
  const connections = notifyingConnections(new MemoryConnections(), notify);
  expect(await connections.changeStatus(place, status('reconnect', 3))).toBe(false);
  expect(noted).toEqual([]);
});

it('a change that waits is notified to its user before it is stored (NOTIFY-009)', async () => {
  const { noted, notify } = remembering();
  const order: string[] = [];
  const inner = { keep: async () => void order.push(`kept after ${noted.length}`) };
  const approvals = notifyingApprovals(Object.assign(Object.create(null), inner), notify);
  await approvals.keep(
    Object.assign(Object.create(null), { id: 'A1', userId: 7, service: 'vault', content: 'private' }),
  );
  expect(order).toEqual(['kept after 1']);
  expect(noted).toEqual([
    { kind: 'approval.waiting', occasion: 'A1', userId: 7, subject: { approval: 'A1', service: 'vault' } },
  ]);
});

it('calls of a reaction that wait are one occasion an hour, for the administrators (NOTIFY-009)', async () => {
  const { noted, notify } = remembering();
  const log = notifyingReactionLog(new MemoryReactionLog(), notify);
  const call = { reaction: 'R.md', operation: 'tracker.issues.create', seq: 1, depth: 1, at: 0 };
  for (const [index, at] of [0, 10, 3_599_999, 3_600_000].entries()) await log.wait({ ...call, key: `k${index}`, at });
  expect(noted.every(({ userId, subject }) => userId === null && subject.reaction === 'R.md')).toBe(true);
  expect(new Set(noted.map(({ occasion }) => occasion)).size).toBe(2);
});

it('an invited user is notified to the administrators by id only, and leaves no choice of e-mails (NOTIFY-009)', async () => {
  const { noted, notify } = remembering();
  const notifications = new MemoryNotifications();
  const users = notifyingUsers(new MemoryUsers(), notify, notifications);
  const account = { email: 'bob@example.com', passwordHash: 'h', permissions: [], isAdmin: false };
  await users.add({ ...account, email: 'first@example.com' });
  expect(noted).toEqual([]);
  await users.add({ ...account, invitedAt: 5 });
  expect(noted).toEqual([{ kind: 'user.invited', occasion: '2', userId: null, subject: { user: 2 } }]);
  await users.add({ ...account, invitedAt: 6 });
  expect(noted).toHaveLength(1);
  await notifications.switchOff(2, ['connections']);
  await users.remove(2);
  expect(await notifications.switchedOff(2)).toEqual([]);
});
