import { createServer } from 'node:http';
import type { AccountChange, Changes, NoteChange } from '#adapters/contracts/changes.ts';
import { buildApp } from '#adapters/http/app.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { type Features, type McpDependencies, openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';
import { cachedUsers } from '#adapters/stores/cached-stores.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Users } from '#application/ports/users.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import type { Target } from '#test/bench/bench.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';
import { answeredBy } from '#test/support/services/operations-over.ts';

/** The real edge on loopback (pipeline, authentication by a sealed bearer token, log, MCP) over a tool that answers at once. */
export async function startTarget(): Promise<Target> {
  return startEdge({ logger: openLogger('info'), catalog: plannedCatalog });
}

/** What the edge is over: its people, the services that they are connected to, and who publishes when these change. */
export type EdgeOptions = Readonly<{
  logger: Logger;
  catalog: OperationCatalog;
  features?: Features;
  users?: Users;
  services?: ReadonlySet<ServiceKey>;
  accountChanges?: Changes<AccountChange>;
}> &
  Pick<McpDependencies, 'bounds' | 'subscriptions' | 'sharing'>;

/** The real edge, with a signed-in user of all services. */
export async function startEdge({
  logger,
  catalog,
  features = {},
  users = cachedUsers(new MemoryUsers()),
  services = new Set(serviceKeys),
  accountChanges = new EventBus<AccountChange>(),
  ...more
}: EdgeOptions): Promise<Target> {
  const added = await users.add({ email: 'a@b.c', passwordHash: '', permissions: serviceKeys, isAdmin: true });
  const sessions = new CachedSessionTokens(new JweSessionTokens([deriveKey('x'.repeat(32), 'session')]));
  const token = await sessions.seal({ userId: added.ok ? added.value.id : 0, issuedAt: Date.now() });
  const operation = new RunOperation({
    ...answeredBy({ call: async () => succeeded('# Acme\n\nA note of two lines.') }),
    catalog,
  });
  const mcp = openMcpEndpoint({
    catalog,
    features,
    run: (user, call) => operation.run(user, call),
    random: systemRandom,
    logger,
    version: '0',
    clock: systemClock,
    baseUrl: 'http://localhost:3000',
    stateKey: new Uint8Array(32),
    connections: { overview: async () => ({ services, isInTeamVault: false }) },
    users,
    noteChanges: new EventBus<NoteChange>(),
    accountChanges,
    ...more,
  });
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const handle = buildApp({
    routeGroups: [mcpRoutes(mcp)],
    identifyCaller: new IdentifyCaller(
      { tokens: sessions, users, grants: new MemoryGrants(), sessions: new MemorySessions(), clock: systemClock },
      { services: serviceKeys, baseUrl: url, formerCookiesUntil: 0 },
    ),
    logger,
    settings: { baseUrl: url, listensOnLoopback: true, allowedOrigins: [], oauthMetadata: false, trustProxy: false },
  });
  server.on('request', handle);
  const close = async () => {
    mcp.close();
    server.closeAllConnections();
    server.close();
  };
  return { url, headers: { authorization: `Bearer ${token}` }, close };
}

/** There are 84 tools (TOOL-001): as many, with input schemas of a usual size. */
export const plannedCatalog = asManyAsPlanned(fakeCatalog);

function asManyAsPlanned({ operations }: OperationCatalog): OperationCatalog {
  const names = ['path', 'content', 'mode', 'limit', 'cursor', 'fields'];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', description: `What the input ${name} means, in one sentence.` }]),
  );
  const more = Array.from({ length: 84 - operations.filter(({ tool }) => tool !== null).length }, (_, n) => {
    const service = serviceKeys[n % serviceKeys.length] ?? 'vault';
    return {
      service,
      name: `made.${n}`,
      tool: `${service}_made_tool_${n}`,
      title: `Made tool ${n}`,
      summary: 'Lists the records of one kind, newest first, a page at a time.',
      effect: 'read' as const,
      effects: ['read' as const],
      effectOf: () => 'read' as const,
      isIdempotent: true,
      isOpenWorld: true,
      inputSchema: { type: 'object' as const, properties, required: ['path'], additionalProperties: false },
      output: null,
      isFile: false,
      route: null,
      upload: null,
    };
  });
  return { names: neutralNames, operations: [...operations, ...more] };
}
