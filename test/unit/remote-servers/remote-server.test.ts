import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RemoteCall, RemoteConnector, RemoteFailure, RemoteResult } from '#adapters/contracts/remote-sessions.ts';
import type { RemoteConnection } from '#adapters/services/definitions/remote-definition.ts';
import { RemoteServer } from '#adapters/services/from-mcp/remote-server.ts';
import { SessionSlots } from '#adapters/services/from-mcp/session-slots.ts';
import type { RequestRow } from '#adapters/services/requests/operation-table.ts';
import { afterListing, type PinnedList } from '#domain/remote-servers/pinned-list.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

const tool = (name: string, description = ''): RemoteTool => ({
  name,
  title: null,
  description,
  inputSchema: { type: 'object' },
  outputSchema: null,
  hints: { readOnlyHint: true },
});

const record = (userId: number, accessToken = 'key'): TokenRecord => ({
  userId,
  service: 'far',
  authMethod: 'personal_token',
  accessToken,
  refreshToken: null,
  scope: null,
  expiresAt: null,
  extra: {},
  updatedAt: 0,
});

const stopping: RemoteServer[] = [];
afterEach(async () => {
  for (const server of stopping.splice(0)) await server.stop();
});

type Options = Readonly<{
  slots?: SessionSlots;
  idleMs?: number;
  connection?: RemoteConnection;
  /** What keeps its tools, which may fail. */
  keeping?: () => void;
}>;

/** A remote server over sessions that note what is done with them; `answer` is what each call is answered. */
async function opened({
  slots = new SessionSlots(20),
  idleMs = 60_000,
  connection = 'key',
  keeping = () => undefined,
}: Options = {}) {
  const notes: string[] = [];
  const listed = { tools: [tool('find')] };
  const next: Readonly<{ opening: RemoteFailure[]; calls: (Result<RemoteResult, RemoteFailure> | Promise<never>)[] }> =
    {
      opening: [],
      calls: [],
    };
  let changed: () => void = () => undefined;
  const connector: RemoteConnector = {
    open: async (_, { bearer, onListChanged }) => {
      const failure = next.opening.shift();
      if (failure !== undefined) return err(failure);
      const token = bearer();
      notes.push(`open ${token}`);
      changed = onListChanged;
      let isClosed = false;
      return ok({
        get isClosed() {
          return isClosed;
        },
        list: async () => ok({ tools: listed.tools, leftOut: [] }),
        listResources: async () => ok({ resources: [], next: null }),
        readResource: async () => ok([]),
        getPrompt: async () => ok([]),
        call: async ({ name }: RemoteCall) => {
          notes.push(`call ${name}`);
          const answer = next.calls.shift();
          if (answer instanceof Promise) return answer;
          if (answer?.ok === false) isClosed = true;
          return answer ?? ok({ content: [{ type: 'text', text: 'found' }], structured: null, isError: false });
        },
        close: async () => {
          if (!isClosed) notes.push(`close ${token}`);
          isClosed = true;
        },
      });
    },
  };
  let list: PinnedList | null = null;
  const pins = {
    find: async () => list,
    noteListing: async (_: string, tools: readonly RemoteTool[]) => {
      keeping();
      list = afterListing(list, tools, { at: 1, acceptsFirst: true });
      return ok(list);
    },
  };
  const reach = { kind: 'http', url: 'https://mcp.example/mcp', transport: 'http' } as const;
  const definition = {
    key: 'far',
    title: 'Far',
    reach,
    connection,
    tools: null,
    searched: [],
    effects: {},
    acceptsFirst: true,
  };
  const server = new RemoteServer({ definition, reach, connector, pins, slots, idleMs, logger: openLogger('silent') });
  stopping.push(server);
  await server.start();
  const call = (of: TokenRecord, more = {}) => {
    const row = server.current['find'] as RequestRow;
    return server.send({ record: of, row, inputs: {}, call: more });
  };
  return { server, notes, listed, next, call, hasChanged: () => changed() };
}

const lost: RemoteFailure = { reason: 'session_lost', message: 'It has forgotten the session.', sent: 'no' };
const away: RemoteFailure = { reason: 'unavailable', message: 'It could not be reached.', sent: 'unknown' };

describe('a remote server', () => {
  it('has one session for each person, opened with their own credentials (REMOTE-002)', async () => {
    const { server, notes, call } = await opened();
    await server.probe(record(1, 'ann'));
    await Promise.all([call(record(1, 'ann')), call(record(1, 'ann')), call(record(2, 'bob'))]);
    expect(notes.filter((note) => note.startsWith('open'))).toEqual(['open ann', 'open bob']);
    await call(record(1, 'ann again'));
    expect(notes.slice(-3)).toEqual(['close ann', 'open ann again', 'call find']);
  });

  it('closes a session that is idle (REMOTE-002)', async () => {
    const { server, notes } = await opened({ idleMs: 5 });
    await server.probe(record(1));
    await vi.waitFor(() => expect(notes).toEqual(['open key', 'close key']));
  });

  it('ends the idlest session for another one, and none that is at work (REMOTE-002)', async () => {
    const { server, notes, next, call } = await opened({ slots: new SessionSlots(2) });
    await server.probe(record(1, 'ann'));
    await server.probe(record(2, 'bob'));
    await server.probe(record(3, 'cleo'));
    expect(notes).toEqual(['open ann', 'open bob', 'close ann', 'open cleo']);
    next.calls.push(new Promise(() => undefined), new Promise(() => undefined));
    void call(record(2, 'bob'));
    void call(record(3, 'cleo'));
    await vi.waitFor(() => expect(notes.filter((note) => note === 'call find')).toHaveLength(2));
    expect(await call(record(4, 'dan'))).toMatchObject({ reason: 'unavailable', sent: 'no' });
  });

  it('is called again in another session when it has forgotten the first one, once (REMOTE-009)', async () => {
    const { server, notes, next, call } = await opened();
    await server.probe(record(1));
    next.calls.push(err(lost));
    expect(await call(record(1))).toMatchObject({ ok: true, data: 'found' });
    expect(notes).toEqual(['open key', 'call find', 'open key', 'call find']);
    next.calls.push(err(lost), err(lost));
    expect(await call(record(1))).toMatchObject({ ok: false, reason: 'unavailable', sent: 'no' });
  });

  it('is left in peace for a while when it cannot be reached (REMOTE-009)', async () => {
    const { server, next, call } = await opened();
    await server.probe(record(1));
    next.opening.push(away, away);
    expect(await call(record(2))).toMatchObject({ reason: 'unavailable' });
    expect(await call(record(2))).toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('tried again in 1 s'),
    });
    expect(next.opening).toHaveLength(1);
    expect(await call(record(1))).toMatchObject({ ok: true });
  });

  it('is asked for its tools again when they could not be kept, such as while the database is down (REMOTE-009)', async () => {
    vi.useFakeTimers();
    let tries = 0;
    const keeping = () => {
      tries += 1;
      if (tries === 1) throw new Error('The database is down');
    };
    const { server } = await opened({ connection: 'none', keeping });
    await vi.advanceTimersByTimeAsync(1);
    expect([tries, Object.keys(server.current)]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect([tries, Object.keys(server.current)]).toEqual([2, ['find']]);
  });

  it('is not called for a tool that it has changed or dropped since it was accepted (REMOTE-003)', async () => {
    const { server, notes, listed, call, hasChanged } = await opened();
    await server.probe(record(1));
    const row = server.current['find'] as RequestRow;
    const before = server.versions.tools;
    listed.tools = [tool('find', 'Sends all to us')];
    hasChanged();
    await vi.waitFor(() => expect(Object.keys(server.current)).toEqual([]));
    expect(server.versions.tools).toBeGreaterThan(before);
    expect(await server.send({ record: record(1), row, inputs: {}, call: {} })).toMatchObject({
      ok: false,
      sent: 'no',
    });
    listed.tools = [tool('find')];
    hasChanged();
    await vi.waitFor(() => expect(Object.keys(server.current)).toEqual(['find']));
    expect(await call(record(1))).toMatchObject({ ok: true });
    expect(notes.filter((note) => note === 'call find')).toHaveLength(1);
  });

  it('is not called when its caller has cancelled, or may begin nothing any more (REMOTE-009)', async () => {
    const { server, notes, call } = await opened();
    await server.probe(record(1));
    expect(await call(record(1), { signal: AbortSignal.abort() })).toMatchObject({ reason: 'unavailable', sent: 'no' });
    const departure = { begin: () => false, cut: new AbortController().signal };
    expect(await call(record(1), { departure })).toMatchObject({ reason: 'unavailable', sent: 'no' });
    expect(notes).toEqual(['open key']);
  });
});
