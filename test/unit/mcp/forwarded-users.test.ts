import { expect, it } from 'vitest';
import type { EventLine } from '#adapters/contracts/mcp-exchange.ts';
import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { sessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import type { User } from '#domain/users/user.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { Stage } from '#test/contracts/kit/transport-stage.ts';
import { MemoryMcpSessions } from '#test/doubles/memory-mcp-sessions.ts';
import { Town } from '#test/doubles/town.ts';
import { openParts } from '#test/support/contracts/transport-parts.ts';
import { people } from '#test/support/mcp/mcp-app.ts';

const { ann, reader } = people;

/** Posts a request of `sender` to one server for a stream of another, where the user is stored as `stored`. */
async function forwarded(sender: User, stored: User | null) {
  const town = new Town();
  const store = new MemoryMcpSessions(systemClock, sessionBounds);
  const callers: User[] = [];
  const dispatcher: Dispatcher = {
    dispatch: (_, { user }) => {
      callers.push(user);
      return { answer: Promise.resolve(null), cancel: () => undefined };
    },
  };
  const account = { user: stored, connected: new Set(['vault']) };
  const [owner, other] = ['owner', 'other'].map((id) =>
    openParts(new Stage(), { dispatcher, account, sharing: { store, others: town.join(id) } }),
  );
  const lines: string[] = [];
  const line: EventLine = {
    send: (_, data) => lines.push(data) > 0,
    end: () => undefined,
    onClose: () => undefined,
  };
  owner?.endpoint.openStream({ user: ann, headers: {}, query: {} }, () => line);
  const sessionId = new URL(lines[0] ?? '', 'http://localhost').searchParams.get('sessionId') ?? '';
  const answered = await other?.endpoint.message({
    user: sender,
    path: '/message',
    headers: { 'content-type': 'application/json' },
    query: { sessionId },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })),
    openStream: () => line,
    onClose: () => undefined,
  });
  for (const parts of [owner, other]) parts?.end();
  return { status: answered?.status, callers };
}

it('a forwarded message is answered with the permissions that its user still has (PEER-005)', async () => {
  const demoted: User = { ...ann, permissions: ['vault'], isAdmin: false };
  const { status, callers } = await forwarded(ann, demoted);
  expect(status).toBe(202);
  expect(callers).toEqual([demoted]);
});

it('an app’s message gains no permissions by being forwarded (PEER-005)', async () => {
  const { status, callers } = await forwarded(reader, { ...ann, isAdmin: true });
  expect(status).toBe(202);
  expect(callers).toMatchObject([{ isAdmin: false, withheld: { changes: true } }]);
});

it.each([
  ['is deactivated', { ...ann, deactivatedAt: 1 }],
  ['has signed out since', { ...ann, signedOutBefore: 1 }],
  ['is no more', null],
])('a forwarded message of a user who %s gets 404 (PEER-005)', async (_, stored) => {
  const { status, callers } = await forwarded(ann, stored);
  expect([status, callers]).toEqual([404, []]);
});
