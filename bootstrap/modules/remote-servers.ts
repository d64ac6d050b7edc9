import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type Container, ContainerModule, type ResolutionContext } from 'inversify';
import type { RemoteOffer } from '#adapters/contracts/remote-offers.ts';
import type { ListVersions } from '#adapters/mcp/changes/listeners.ts';
import { noteLackedScopes } from '#adapters/mcp-client/oauth/step-up.ts';
import { SdkConnector } from '#adapters/mcp-client/sdk-connector.ts';
import { StartedWith } from '#adapters/messages/started-with.ts';
import { RemoteServer, type RemoteServerDependencies } from '#adapters/services/from-mcp/remote-server.ts';
import { SessionSlots } from '#adapters/services/from-mcp/session-slots.ts';
import { FactPinnedTools } from '#adapters/stores/fact-pinned-tools.ts';
import { RemotePins } from '#application/remote-servers/remote-pins.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** The maximum number of programs, and of sessions over HTTP, that this process has open at a time. */
const maxPrograms = 20;
const maxSessions = 500;

/** The address under which a change of what is known of a remote server's tools is published to all servers; '' is what all begin with. */
export const toolsAddressOf = (service: ServiceKey): string => `portolan://remote-tools/${service}`;

/** Binds the remote MCP servers that services are made of. */
export const remoteServers = new ContainerModule(({ bind }) => {
  bind(RemotePins).toDynamicValue((on) => {
    const changes = on.get(tokens.resourceChanges);
    return new RemotePins({
      store: new FactPinnedTools(on.get(tokens.serverFacts)),
      leases: on.get(tokens.leases),
      random: on.get(tokens.random),
      clock: on.get(tokens.clock),
      note: on.get(tokens.note),
      publish: (service) => changes.publish({ address: toolsAddressOf(service) }),
      pause: (ms) => delay(ms),
    });
  });
  bind(tokens.remoteServers)
    .toDynamicValue((on) => {
      const { settings, version } = on.get(tokens.runtime);
      const slots = { command: new SessionSlots(maxPrograms), http: new SessionSlots(maxSessions) };
      const connector = new SdkConnector(version);
      const servers = settings.services.flatMap(({ service: { kind }, settings: { url } }) => {
        if (kind.remote === undefined) return [];
        const { reach: given, key } = kind.remote;
        const reach = given.kind === 'http' && url !== null ? { ...given, url } : given;
        const parts = {
          reach,
          connector,
          pins: on.get(RemotePins),
          slots: slots[reach.kind],
          logger: on.get(tokens.logger),
          challenged: noting(on),
        };
        return [[key, new RemoteServer({ definition: kind.remote, ...parts })] as const];
      });
      return new Map(servers);
    })
    .onDeactivation(async (servers) => {
      await Promise.all([...servers.values()].map((server) => server.stop()));
    });
  bind(StartedWith).toDynamicValue(startedWith);
});

/** This server among those on the database: its machine and its process, and the remote servers that it was started with. */
function startedWith(on: ResolutionContext): StartedWith {
  const services = [...on.get(tokens.remoteServers).keys()];
  return new StartedWith(on.get(tokens.otherServers), { name: `${hostname()} (process ${process.pid})`, services });
}

/** Notes the scopes that a call lacked, so that connecting again asks for them. */
function noting(on: ResolutionContext): NonNullable<RemoteServerDependencies['challenged']> {
  return (place, challenge) =>
    void noteLackedScopes(on.get(tokens.connections), place, challenge).catch((error: unknown) =>
      on.get(tokens.logger).warn({ err: error, ...place }, 'The scopes that a call lacked could not be noted'),
    );
}

/** Starts the remote servers: loads what is known of their tools, and again whenever that changes on any server. */
export async function startRemoteServers(container: Container): Promise<void> {
  const servers = container.get(tokens.remoteServers);
  container.get(StartedWith).start();
  if (servers.size === 0) return;
  const logger = container.get(tokens.logger);
  const load = (service: ServiceKey, server: RemoteServer): void =>
    void server
      .load()
      .catch((error: unknown) =>
        logger.error({ err: error, service }, 'The tools of a remote MCP server could not be read'),
      );
  container.get(tokens.resourceChanges).listen(({ address }) => {
    for (const [service, server] of servers) if (address === toolsAddressOf(service)) load(service, server);
  });
  container.get(tokens.otherServers).onMissed(() => {
    for (const [service, server] of servers) load(service, server);
  });
  await Promise.all([...servers.values()].map((server) => server.start()));
}

/** The versions of the lists of remote servers, which change while the server runs. */
export function listVersions(servers: ReadonlyMap<ServiceKey, RemoteServer>): ListVersions {
  return () => new Map([...servers].map(([service, { versions }]) => [service, versions] as const));
}

/** What remote servers offer besides tools, as it is at each call. */
export function remoteOffersOf(servers: ReadonlyMap<ServiceKey, RemoteServer>): () => readonly RemoteOffer[] {
  return () => [...servers.values()].map(({ offer }) => offer);
}
