import type { AccountChange, Changes } from '#adapters/contracts/changes.ts';
import { sessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import { accounts, RelayedChanges } from '#adapters/messages/relayed-changes.ts';
import { SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { PostgresMessages } from '#adapters/persistence/postgres-messages.ts';
import { SqlMcpSessions } from '#adapters/persistence/sql-mcp-sessions.ts';
import { cachedUsers } from '#adapters/stores/cached-stores.ts';
import type { Users } from '#application/ports/users.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';
import type { Target } from '#test/bench/bench.ts';
import { type EdgeOptions, startEdge } from '#test/bench/target.ts';
import { conformanceFeatures } from '#test/conformance/fixtures.ts';
import { startSignedInProxy } from '#test/conformance/signed-in-proxy.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { startRoundRobin } from '#test/support/network/round-robin.ts';
import { openBeside } from '#test/support/persistence/sqlite-pool.ts';
import { openTestPostgres, testBox } from '#test/support/persistence/test-database.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';

const logger = openLogger('silent');

/** The real edge with the suite's tools, resources and prompts and nothing else, behind a proxy that is signed in. */
export async function startFixtureServer() {
  const people = { users: cachedUsers(new MemoryUsers()), services: new Set<ServiceKey>(serviceKeys) };
  const edge = await startFixtureEdge({ ...people, accountChanges: new EventBus<AccountChange>() });
  const proxy = await startSignedInProxy(edge.url, edge.headers);
  const close = async () => {
    await proxy.close();
    await edge.close();
  };
  return { url: `${proxy.url}/message`, close };
}

/** The same three times over one PostgreSQL, behind a proxy that gives each request to the next. */
export async function startFixtureCluster(postgresUrl: string) {
  const people = { users: new MemoryUsers(), services: new Set<ServiceKey>(serviceKeys) };
  const test = await openTestPostgres(postgresUrl);
  const closers = [() => test.close()];
  const edges: Target[] = [];
  for (const serverId of ['one', 'two', 'three']) {
    const database = await openBeside(test.url);
    const messages = new PostgresMessages({ database, url: test.url, serverId, logger });
    await messages.open();
    closers.push(
      () => database.close(),
      () => messages.close(),
    );
    const others = new SealedMessages(messages, { box: testBox, clock: systemClock, logger });
    const sharing = { store: new SqlMcpSessions(database, sessionBounds), others };
    const accountChanges = new RelayedChanges(accounts, others);
    const edge = await startFixtureEdge({ ...people, accountChanges, sharing });
    edges.push(edge);
    closers.push(() => edge.close());
  }
  const balancer = await startRoundRobin(edges.map(({ url }) => url));
  const proxy = await startSignedInProxy(balancer.url, edges[0]?.headers ?? {});
  closers.push(
    () => balancer.close(),
    () => proxy.close(),
  );
  const close = async () => {
    for (const one of closers.toReversed()) await one();
  };
  return {
    url: `${proxy.url}/message`,
    origins: edges.map(({ url }) => url),
    headers: edges[0]?.headers ?? {},
    balancer,
    close,
  };
}

type Fixture = Pick<EdgeOptions, 'sharing'> &
  Readonly<{ users: Users; services: Set<ServiceKey>; accountChanges: Changes<AccountChange> }>;

/** The edge whose tools change the rights and connections of its user. */
function startFixtureEdge({ users, services, accountChanges, ...more }: Fixture): Promise<Target> {
  const features = conformanceFeatures({
    connection: async () => {
      if (!services.delete('tracker')) services.add('tracker');
      accountChanges.publish({ userId: 1 });
    },
    permission: async () => {
      const isPermitted = (await users.find(1))?.permissions.includes('signing') === true;
      await users.change(1, { permissions: serviceKeys.filter((key) => key !== 'signing' || !isPermitted) });
      accountChanges.publish({ userId: 1 });
    },
  });
  const catalog = { names: neutralNames, operations: [] };
  return startEdge({ logger, catalog, features, users, services, accountChanges, ...more });
}
