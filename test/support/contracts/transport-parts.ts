import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import { type McpDependencies, openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { sessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import type { Sharing } from '#adapters/mcp/transports/shared-sessions.ts';
import { MemoryServerMessages } from '#adapters/memory/memory-server-messages.ts';
import { accounts, RelayedChanges } from '#adapters/messages/relayed-changes.ts';
import { SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { servedTool } from '#bootstrap/package/stage-dispatcher.ts';
import type { User } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import type { Stage } from '#test/contracts/kit/transport-stage.ts';
import type { OpenTransport } from '#test/contracts/kit/transport-subject.ts';
import { MemoryMcpSessions } from '#test/doubles/memory-mcp-sessions.ts';
import { KeptLog, people } from '#test/support/mcp/mcp-app.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const changeMs = 100;

/** The one user, null once the sign-in counts no more, and what they are connected to. */
type Account = { user: User | null; connected: ReadonlySet<string> };

type PartsOptions = Readonly<{
  dispatcher?: McpDependencies['dispatcher'];
  /** Shared by several servers. */
  account?: Account;
  sharing?: Sharing;
}>;

/** What the subjects have in common: an endpoint that offers the tools of the stage to one user. */
export function openParts(
  stage: Stage,
  { dispatcher, account = { user: people.ann, connected: new Set(['vault']) }, sharing }: PartsOptions = {},
) {
  let changing: NodeJS.Timeout | null = null;
  const bus = new EventBus<AccountChange>();
  const accountChanges = sharing === undefined ? bus : new RelayedChanges(accounts, sharing.others);
  const endpoint = openMcpEndpoint({
    catalog: { ...fakeCatalog, operations: [] },
    run: runOver(new FakeGateway()),
    features: { tools: stage.tools.map(servedTool) },
    connections: { overview: async () => ({ services: account.connected, isInTeamVault: false }) },
    users: { find: async () => account.user },
    random: systemRandom,
    logger: new KeptLog(),
    version: '1.2.3',
    clock: systemClock,
    baseUrl: 'http://localhost:3000',
    stateKey: new Uint8Array(32),
    noteChanges: new EventBus<NoteChange>(),
    accountChanges,
    listening: { gatherMs: 5, lookMs: 60_000, usersALook: 50 },
    ...(dispatcher === undefined ? {} : { dispatcher }),
    ...(sharing === undefined ? {} : { sharing }),
  });
  const change = (): void => {
    account.connected = new Set(account.connected.size === 0 ? ['vault'] : []);
    accountChanges.publish({ userId: people.ann.id });
  };
  const control: Pick<OpenTransport, 'revoke' | 'changeTools'> = {
    revoke: async () => {
      account.user = null;
    },
    // Again and again: a line that has just been opened may not have been looked at yet.
    changeTools: async () => {
      changing = setInterval(change, changeMs);
    },
  };
  const end = (): void => {
    if (changing !== null) clearInterval(changing);
    endpoint.close();
  };
  return { endpoint, control, current: async () => account.user, end };
}

/** Three servers that share their sessions; the first has control. */
export function openSeveralParts(stage: Stage) {
  const account: Account = { user: people.ann, connected: new Set(['vault']) };
  const hub = new Set<MemoryServerMessages>();
  const store = new MemoryMcpSessions(systemClock, sessionBounds);
  return ['one', 'two', 'three'].map((serverId) => {
    const others = new SealedMessages(new MemoryServerMessages(hub, serverId), {
      box: testBox,
      clock: systemClock,
      logger: new KeptLog(),
    });
    return openParts(stage, { account, sharing: { store, others } });
  });
}

/** The SDK's server with the same tools. */
export function sdkServer({ tools }: Stage): Server {
  const server = new Server({ name: 'sdk', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: { ...inputSchema } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such tool');
    const token = params._meta?.progressToken;
    let last = 0;
    const progress = (done: number, total: number): void => {
      if (token === undefined || done <= last) return;
      last = done;
      void sendNotification({
        method: 'notifications/progress',
        params: { progressToken: token, progress: done, total },
      });
    };
    try {
      const { text, isError = false } = await tool.run(params.arguments ?? {}, { signal, progress });
      return { content: [{ type: 'text', text }], isError };
    } catch {
      throw new McpError(ErrorCode.InternalError, 'Internal error');
    }
  });
  return server;
}
