import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Router } from '@koa/router';
import Koa from 'koa';
import type { AccountChange, NoteChange } from '#adapters/contracts/changes.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { rememberCaller } from '#adapters/http/middleware/authentication.ts';
import type { Route } from '#adapters/http/route.ts';
import { type McpDependencies, openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import { underScope } from '#domain/oauth/grant.ts';
import { guest, type User } from '#domain/users/user.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import type { EventStreamOptions } from '#infrastructure/http/event-stream.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const ann = { id: 1, email: 'ann@example.com', permissions: [...serviceKeys], isAdmin: true, signedOutBefore: null };
/** The users of these tests, by their bearer tokens. */
export const people: Readonly<Record<'ann' | 'reader' | 'noter' | 'teller' | 'bob' | 'guest', User>> = {
  ann,
  /** Ann by an access token that may only read, by one for the vault alone, and by one for all but the vault. */
  reader: underScope('*:read', ann, serviceKeys),
  noter: underScope('vault', ann, serviceKeys),
  teller: underScope('sales_crm signing suite_crm tracker', ann, serviceKeys),
  bob: { id: 2, email: 'bob@example.com', permissions: ['vault'], isAdmin: false, signedOutBefore: null },
  guest,
};

const personOf = new Map(Object.entries(people));

/** A log in memory. */
export class KeptLog implements Logger {
  readonly errors: Readonly<Record<string, unknown>>[] = [];
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(fields: Readonly<Record<string, unknown>>): void {
    this.errors.push(fields);
  }
  child(): Logger {
    return this;
  }
}

/** Connections in which every user is connected to every service. */
export const connectedToAll = {
  overview: async () => ({ services: new Set(serviceKeys), isInTeamVault: false }),
};

/** The options of a test. */
export type McpAppOptions = Readonly<{
  bounds?: NonNullable<McpDependencies['bounds']>;
  streams?: EventStreamOptions;
  catalog?: OperationCatalog;
  run?: McpDependencies['run'];
  features?: NonNullable<McpDependencies['features']>;
  connections?: McpDependencies['connections'];
  users?: McpDependencies['users'];
  subscriptions?: NonNullable<McpDependencies['subscriptions']>;
  listening?: NonNullable<McpDependencies['listening']>;
  clock?: McpDependencies['clock'];
  sessions?: NonNullable<McpDependencies['sessions']>;
  limit?: NonNullable<McpDependencies['limit']>;
}>;

/** A listening app with the MCP routes over a fake catalog. */
export async function startMcpApp(options: McpAppOptions = {}) {
  const { streams = {}, catalog = fakeCatalog, connections = connectedToAll, run, ...more } = options;
  const gateway = new FakeGateway();
  const log = new KeptLog();
  const noteChanges = new EventBus<NoteChange>();
  const accountChanges = new EventBus<AccountChange>();
  const parts: McpDependencies = {
    catalog,
    run: run ?? runOver(gateway),
    random: systemRandom,
    logger: log,
    version: '1.2.3',
    clock: systemClock,
    baseUrl: 'http://localhost:3000',
    stateKey: new Uint8Array(32),
    connections,
    users: { find: async (id) => [...personOf.values()].find((person) => person.id === id) ?? null },
    noteChanges,
    accountChanges,
    ...more,
  };
  const endpoint = openMcpEndpoint(parts);
  const { app, faults } = mount(mcpRoutes(endpoint, streams));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = address(server.address());
  const close = async () => {
    endpoint.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url: `http://127.0.0.1:${port}`, port, gateway, log, endpoint, noteChanges, accountChanges, faults, close };
}

/** A running app. */
export type McpApp = Awaited<ReturnType<typeof startMcpApp>>;

/** A Koa app with routes behind bearer names in the order of EDGE-010; what a handler throws is kept in `faults`. */
function mount(routes: readonly Route[]) {
  const app = new Koa();
  const router = new Router();
  const faults: unknown[] = [];
  app.on('error', (error) => {
    // A lost connection and a refusal are no faults of a handler.
    if (error.headerSent !== true && error.expose !== true) faults.push(error);
  });
  for (const { method, path, run } of routes) {
    router.register(path, [method], async (ctx) => {
      const user = personOf.get(ctx.get('authorization').replace('Bearer ', ''));
      if (user === undefined) return ctx.throw(401);
      rememberCaller(ctx, { user, session: { userId: user.id, issuedAt: Date.now() }, by: 'app' });
      await run(ctx);
    });
  }
  app.silent = true;
  app.use(router.routes());
  return { app, faults };
}

function address(of: AddressInfo | string | null): AddressInfo {
  if (of === null || typeof of === 'string') throw new Error('The server does not listen on a port');
  return of;
}
