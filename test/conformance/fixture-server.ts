import { CachedUsers } from '#adapters/memory/cached-sign-ins.ts';
import type { AccountChange } from '#application/ports/account-changes.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { EventBus } from '#infrastructure/events/event-bus.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { startEdge } from '#test/bench/target.ts';
import { conformanceFeatures } from '#test/conformance/fixtures.ts';
import { startSignedInProxy } from '#test/conformance/signed-in-proxy.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { neutralNames, serviceKeys } from '#test/support/services/five-services.ts';

/** The real edge with the suite's tools, resources and prompts and nothing else, behind a proxy that is signed in. */
export async function startFixtureServer() {
  const logger = openLogger('silent');
  const users = new CachedUsers(new MemoryUsers());
  const services = new Set<ServiceKey>(serviceKeys);
  const accountChanges = new EventBus<AccountChange>();
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
  const edge = await startEdge({ logger, catalog, features, users, services, accountChanges });
  const proxy = await startSignedInProxy(edge.url, edge.headers);
  const close = async () => {
    await proxy.close();
    await edge.close();
  };
  return { url: `${proxy.url}/message`, close };
}
