import { randomBytes } from 'node:crypto';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import { openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { serveTransport, type Transport } from '#adapters/mcp/transports/sdk-transport.ts';
import type { Logger } from '#application/ports/logger.ts';
import { failed } from '#domain/operations/outcome.ts';
import { serviceNames } from '#domain/services/service-names.ts';
import type { User } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** A tool of the stage of the suite `mcp-transport`. */
type StagedTool = Readonly<{
  name: string;
  description: string;
  inputSchema: Readonly<{ type: 'object'; properties: Readonly<Record<string, object>> }>;
  run(
    args: Readonly<Record<string, unknown>>,
    call: Readonly<{ signal: AbortSignal; progress(done: number, total: number): void }>,
  ): Promise<Readonly<{ text: string; isError?: boolean }>>;
}>;

/**
 * The server’s own dispatcher over the tools of a stage, for one user: what the suite `mcp-transport` asks of `open`, except for the
 * connection itself.
 */
export interface StageDispatcher {
  /** Serves the client of a transport of the MCP SDK until either side closes it. */
  connect(transport: Transport): Promise<void>;
  /** Invalidates the user’s sign-in. */
  revoke(): Promise<void>;
  /** Changes the user’s tools, again and again until `close`: a client that has just connected may not listen yet. */
  changeTools(): Promise<void>;
  /** Stops; calls in flight may finish within `maxWaitMs`. */
  stop(maxWaitMs: number): Promise<void>;
  /** Releases everything. */
  close(): void;
}

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const changeMs = 100;
const service = 'stage';
const stageUser: User = {
  id: 1,
  email: 'stage@example.com',
  permissions: [service],
  isAdmin: false,
  signedOutBefore: null,
};

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** Serves the tools of a stage through the server’s own dispatcher, without any store or service. */
export function stageDispatcher(stage: Readonly<{ tools: readonly StagedTool[] }>): StageDispatcher {
  const accountChanges = new EventBus<AccountChange>();
  let user: User | null = stageUser;
  let isConnected = true;
  let changing: NodeJS.Timeout | null = null;
  const endpoint = openMcpEndpoint({
    catalog: { names: serviceNames([[service, 'Stage']]), instructions: [], operations: [] },
    run: async () => failed('not_found', 'The stage has no operations.'),
    features: { tools: stage.tools.map(servedTool) },
    connections: { overview: async () => ({ services: new Set(isConnected ? [service] : []), isInTeamVault: false }) },
    users: { find: async () => user },
    random: systemRandom,
    logger: silent,
    version: '0',
    clock: systemClock,
    baseUrl: 'http://localhost:3000',
    stateKey: randomBytes(32),
    noteChanges: new EventBus<NoteChange>(),
    accountChanges,
    listening: { gatherMs: 5, lookMs: 60_000, usersALook: 1 },
  });
  return {
    connect: (transport) =>
      serveTransport(endpoint.lines, transport, stageUser, { current: async () => user, since: null }),
    revoke: async () => {
      user = null;
    },
    changeTools: async () => {
      changing ??= setInterval(() => {
        isConnected = !isConnected;
        accountChanges.publish({ userId: stageUser.id });
      }, changeMs);
    },
    stop: (maxWaitMs) => endpoint.stop(maxWaitMs),
    close: () => {
      if (changing !== null) clearInterval(changing);
      endpoint.close();
    },
  };
}

/** The tool that the server’s own endpoint serves for one of a stage. */
export function servedTool({ name, description, inputSchema, run }: StagedTool): Tool {
  return {
    name,
    title: name,
    description,
    inputSchema,
    annotations: hints,
    service: null,
    run: async (_, args, { signal, onProgress }) => {
      const progress = (done: number, total: number) => onProgress?.({ done, total, message: `${done} of ${total}` });
      const { text, isError } = await run(args, { signal, progress });
      return { content: [{ type: 'text', text }], ...(isError === true ? { isError } : {}) };
    },
  };
}
