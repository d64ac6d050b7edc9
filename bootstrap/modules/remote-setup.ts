import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule, type ResolutionContext } from 'inversify';
import { LineDifferences } from '#adapters/differences/line-differences.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { KnownBrowsers } from '#adapters/http/requests/known-browsers.ts';
import type { Route } from '#adapters/http/route.ts';
import type { KnownServer } from '#adapters/http/setup/server-pages.ts';
import { serverRoutes } from '#adapters/http/setup/server-routes.ts';
import { clientMetadata } from '#adapters/mcp-client/oauth/registered-client.ts';
import { RemoteGrants } from '#adapters/mcp-client/oauth/remote-grants.ts';
import { StartedWith } from '#adapters/messages/started-with.ts';
import { blankRecord } from '#adapters/services/credentials/blank-record.ts';
import { SealedAddedServers, SealedRemoteClients } from '#adapters/stores/sealed-remote.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { ManageServers } from '#application/remote-servers/manage-servers.ts';
import { RemotePins } from '#application/remote-servers/remote-pins.ts';
import { ServerRights } from '#application/remote-servers/server-rights.ts';
import { RecentSignIn } from '#application/session/recent-sign-in.ts';
import { DefaultRights } from '#application/users/default-rights.ts';
import { waysOf } from '#bootstrap/modules/auth.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { AddedServer } from '#domain/remote-servers/added-server.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds what administrators add and decide of remote MCP servers, and how people connect to them by OAuth. */
export const remoteSetup = new ContainerModule(({ bind }) => {
  bind(SealedAddedServers).toDynamicValue(
    (on) => new SealedAddedServers(on.get(tokens.serverFacts), boxFor('remote', on.get(tokens.runtime).secrets)),
  );
  bind(SealedRemoteClients).toDynamicValue(
    (on) =>
      new SealedRemoteClients({
        facts: on.get(tokens.serverFacts),
        box: boxFor('remote', on.get(tokens.runtime).secrets),
        leases: on.get(tokens.leases),
        random: on.get(tokens.random),
        pause: (ms) => delay(ms),
      }),
  );
  bind(RemoteGrants).toDynamicValue(
    (on) =>
      new RemoteGrants({
        serverOf: (service) => oauthServerOf(on, service),
        clients: on.get(SealedRemoteClients),
        connections: on.get(tokens.connections),
        http: on.get(HttpClient),
        clock: on.get(tokens.clock),
        documentUrlOf: (service) => documentUrlOf(on.get(tokens.runtime).baseUrl, service),
      }),
  );
  bind(ServerRights).toDynamicValue(
    (on) =>
      new ServerRights({
        users: on.get(tokens.storedUsers),
        forgetDefault: (service) => on.get(DefaultRights).forget(service),
        note: on.get(tokens.note),
      }),
  );
  bind(ManageServers).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    return new ManageServers({
      store: on.get(SealedAddedServers),
      running: settings.services.map(({ service }) => service.key),
      kindOf: (url) => on.get(HttpClient).kindOf(url),
      forget: (service) => forgetServer(on, service),
      rights: on.get(ServerRights),
      leases: on.get(tokens.leases),
      random: on.get(tokens.random),
      clock: on.get(tokens.clock),
      note: on.get(tokens.note),
    });
  });
});

/** Whether a service is a remote MCP server to which people connect by its own OAuth. */
export function isOAuthServer(on: ResolutionContext): (service: ServiceKey) => boolean {
  return (service) => oauthServerOf(on, service) !== null;
}

function oauthServerOf(on: ResolutionContext, key: ServiceKey) {
  const found = on.get(tokens.runtime).settings.services.find(({ service }) => service.key === key);
  const remote = found?.service.kind.remote;
  if (found === undefined || remote?.connection !== 'oauth' || remote.reach.kind !== 'http') return null;
  return { name: remote.title, url: found.settings.url ?? remote.reach.url };
}

/** The address of this server's metadata document; authorization servers read it by HTTPS only. */
function documentUrlOf(baseUrl: string, service: ServiceKey): string | null {
  return baseUrl.startsWith('https://') ? `${baseUrl}/connect/${service}/client` : null;
}

/** Removes all connections to a server, also those of a service that this program does not know, and what was accepted of it. */
async function forgetServer(on: ResolutionContext, service: ServiceKey): Promise<void> {
  await on.get(RemotePins).forget(service);
  await on.get(SealedRemoteClients).forget(service);
  const [connections, stored] = [on.get(tokens.connections), on.get(tokens.storedConnections)];
  for (const { userId } of (await stored.places()).filter((place) => place.service === service)) {
    await connections.remove(userId, service);
    await stored.remove(userId, service);
  }
}

/** The routes of the page /setup/servers and of its JSON. */
export function serverRoutesOf(on: ResolutionContext): readonly Route[] {
  const { settings, baseUrl } = on.get(tokens.runtime);
  const note = on.get(tokens.note);
  const clients = on.get(SealedRemoteClients);
  return serverRoutes({
    servers: () => knownServers(on),
    manage: on.get(ManageServers),
    pins: on.get(RemotePins),
    rights: on.get(ServerRights),
    look: (user, service) => look(on, user, service),
    enterClient: (service, client) =>
      clients.keep({ service, issuer: null, ...client, redirectUri: null, expiresAt: null }),
    note: (by, subject, detail) => note({ action: 'setup.changed', by, subject, detail }),
    differences: new LineDifferences(),
    recent: on.get(RecentSignIn),
    knownBrowsers: on.get(KnownBrowsers),
    formGuard: on.get(FormGuard),
    ways: waysOf(settings),
    baseUrl,
    documentOf: (service) => {
      const url = oauthServerOf(on, service) === null ? null : documentUrlOf(baseUrl, service);
      const client = clientMetadata(`${baseUrl}/connect/${service}/callback`, 'none');
      return url === null ? null : { client_id: url, client_uri: baseUrl, ...client };
    },
  });
}

/** The servers that this program runs with, and those that were added since. */
async function knownServers(on: ResolutionContext): Promise<readonly KnownServer[]> {
  const stored = await on.get(SealedAddedServers).read();
  const started = await on.get(StartedWith).servers();
  /** The servers that were started with the service, or without it, although it is not as it was then any more. */
  const behind = (key: ServiceKey, isHere: boolean) =>
    started.flatMap(({ name, services }) => (services.includes(key) === isHere ? [] : [name]));
  const running = on.get(tokens.runtime).settings.services.flatMap(({ service: { kind }, settings: { url } }) => {
    const { remote } = kind;
    if (remote === undefined) return [];
    const { key, title, connection, reach, acceptsFirst } = remote;
    const address = reach.kind === 'http' ? (url ?? reach.url) : `The program ${reach.command}`;
    const added = acceptsFirst ? null : (stored.find((one) => one.key === key) ?? null);
    const isRemoved = !acceptsFirst && added === null;
    const toRestart = acceptsFirst ? [] : behind(key, !isRemoved);
    return [{ key, title, address, connection, isRunning: true, isRemoved, toRestart, added }];
  });
  const isNew = ({ key }: AddedServer) => !running.some((one) => one.key === key);
  const later = stored.filter(isNew).map((added) => {
    const { key, title, url: address, connection } = added;
    const toRestart = behind(key, true);
    return { key, title, address, connection, isRunning: false, isRemoved: false, toRestart, added };
  });
  return [...running, ...later];
}

/** Counts the tools that wait to be accepted, of each server that this program runs with. */
export async function waitingTools(on: ResolutionContext) {
  const pins = on.get(RemotePins);
  const services = on.get(tokens.runtime).settings.services.filter(({ service }) => service.kind.remote !== undefined);
  return Promise.all(
    services.map(async ({ service: { key } }) => {
      const tools = (await pins.find(key))?.tools ?? [];
      return { service: key, count: tools.filter(({ waiting }) => waiting !== null).length };
    }),
  );
}

/** Has a server list its tools now: over the person's own connection, unless it needs none. */
async function look(on: ResolutionContext, user: User, service: ServiceKey) {
  const server = on.get(tokens.remoteServers).get(service);
  if (server === undefined) return err(failed('not_found', 'This server has no MCP server of that name.'));
  const isOpen = server.definition.connection === 'none';
  const record = isOpen ? ok(blankRecord(service)) : await on.get(AccessTokens).find(user.id, service);
  if (!record.ok) return record;
  const listed = await server.list(record.value);
  return listed.ok ? ok(undefined) : err(failed('unavailable', listed.failure.message));
}
