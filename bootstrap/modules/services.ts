import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { CachedConnectedServices } from '#adapters/memory/cached-connected-services.ts';
import { MemoryPendingConnects } from '#adapters/memory/memory-pending-connects.ts';
import { RecentConnections } from '#adapters/memory/recent-connections.ts';
import { TeamVault } from '#adapters/memory/team-vault.ts';
import { TellingStandings } from '#adapters/memory/telling-standings.ts';
import { DatabaseServerFacts } from '#adapters/persistence/database-server-facts.ts';
import { MikroOrmConnectionStandings } from '#adapters/persistence/mikro-orm-connection-standings.ts';
import { MikroOrmOutboundTokens } from '#adapters/persistence/mikro-orm-outbound-tokens.ts';
import { SqlLeases } from '#adapters/persistence/sql-leases.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { ConnectionLimits } from '#adapters/services/connection-limits.ts';
import { ProviderConnectionWays } from '#adapters/services/connection-ways.ts';
import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import { GatewayProbe } from '#adapters/services/gateway-probe.ts';
import type { MayReachPrivate } from '#adapters/services/given-address.ts';
import { HttpProviderGrants } from '#adapters/services/provider-grants.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { ConnectService } from '#application/connections/connect-service.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { ProbeRefused } from '#application/connections/probe-refused.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import { SaveCredentials } from '#application/connections/save-credentials.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import type { Users } from '#application/ports/users.ts';
import { grantSources, providersFrom } from '#bootstrap/providers.ts';
import type { Runtime } from '#bootstrap/runtime.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

/** The five services: their tables, the users' connections to them, and how operations are carried out. */
export const services = new ContainerModule(({ bind }) => {
  bind(tokens.providers)
    .toResolvedValue(({ settings }) => providersFrom(settings), [tokens.runtime])
    .inSingletonScope();
  bind(tokens.catalog)
    .toResolvedValue((providers) => catalogOf(providers), [tokens.providers])
    .inSingletonScope();
  bind(tokens.serviceNames).toResolvedValue((catalog) => catalog.names, [tokens.catalog]);
  bind(tokens.serverFacts).toResolvedValue((database) => new DatabaseServerFacts(database), [tokens.database]);
  bind(tokens.teamVault)
    .toResolvedValue(
      (database, { secrets }, logger) => {
        const box = new AesGcmBox(secrets.map((secret) => deriveKey(secret, 'outbound tokens')));
        const stored = new MikroOrmOutboundTokens(database, box, (place, { message }) =>
          logger.error({ ...place, fault: message }, 'The tokens of a connection cannot be opened; it needs its user'),
        );
        return new TeamVault(stored);
      },
      [tokens.database, tokens.runtime, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.connections)
    .toResolvedValue(
      (teamVault, accounts) =>
        new CachedConnectedServices(teamVault, { onChange: (userId) => accounts.publish({ userId }) }),
      [tokens.teamVault, tokens.accountChanges],
    )
    .inSingletonScope();
  bind(tokens.recentConnections)
    .toResolvedValue(
      (connections, standings) => new RecentConnections(connections, standings),
      [tokens.connections, tokens.storedStandings],
    )
    .inSingletonScope();
  bind(tokens.outboundTokens).toResolvedValue((recent) => recent.tokens, [tokens.recentConnections]);
  bind(tokens.standings).toResolvedValue((recent) => recent.standings, [tokens.recentConnections]);
  bind(tokens.connectedServices).toResolvedValue((connections) => connections, [tokens.connections]);
  bind(tokens.storedStandings)
    .toResolvedValue(
      (database, accounts) =>
        new TellingStandings(new MikroOrmConnectionStandings(database), (userId) => accounts.publish({ userId })),
      [tokens.database, tokens.accountChanges],
    )
    .inSingletonScope();
  bind(tokens.leases)
    .toResolvedValue((database) => new SqlLeases(database), [tokens.database])
    .inSingletonScope();
  bind(tokens.grants)
    .toResolvedValue(
      (providers, { settings }, http, clock) => new HttpProviderGrants(grantSources(providers, settings), http, clock),
      [tokens.providers, tokens.runtime, tokens.http, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.accessTokens)
    .toResolvedValue(
      (known, grants, leases, names, clock, random, logger) =>
        new AccessTokens({
          known,
          tokens: known.tokens,
          standings: known.standings,
          grants,
          leases,
          names,
          clock,
          random,
          logger,
          pause: (ms) => delay(ms),
        }),
      [
        tokens.recentConnections,
        tokens.grants,
        tokens.leases,
        tokens.serviceNames,
        tokens.clock,
        tokens.random,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.renewDueTokens)
    .toResolvedValue(
      (outbound, standings, grants, accessTokens, clock, logger) =>
        new RenewDueTokens({ tokens: outbound, standings, grants, accessTokens, clock, logger }),
      [tokens.outboundTokens, tokens.standings, tokens.grants, tokens.accessTokens, tokens.clock, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.connectionLimits).toConstantValue(new ConnectionLimits());
  bind(tokens.gateway)
    .toResolvedValue(
      (providers, http, limits, notes, users, runtime) =>
        new HttpServiceGateway({
          providers,
          http,
          limits,
          onNoteChange: (change) => notes.publish(change),
          mayReachPrivate: mayReachPrivate(users, runtime),
        }),
      [tokens.providers, tokens.http, tokens.connectionLimits, tokens.noteChanges, tokens.users, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.probe)
    .toResolvedValue(
      (providers, http, limits, users, runtime) =>
        new GatewayProbe(providers, http, { limits, mayReachPrivate: mayReachPrivate(users, runtime) }),
      [tokens.providers, tokens.http, tokens.connectionLimits, tokens.users, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.connectionWays)
    .toResolvedValue(
      (providers, { settings }) => new ProviderConnectionWays(providers, grantSources(providers, settings)),
      [tokens.providers, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.testConnection)
    .toResolvedValue(
      (outbound, standings, probe, accessTokens, names, clock, logger) =>
        new TestConnection({ tokens: outbound, standings, probe, accessTokens, names, clock, logger }),
      [
        tokens.outboundTokens,
        tokens.standings,
        tokens.probe,
        tokens.accessTokens,
        tokens.serviceNames,
        tokens.clock,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.deliveryConnections)
    .toResolvedValue(
      (known, clock, { settings }) => new DeliveryConnections(known, clock, settings.AUTOMATION_USER_ID),
      [tokens.recentConnections, tokens.clock, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.probeRefused)
    .toResolvedValue(
      (standings, test, leases, clock, random, logger) =>
        new ProbeRefused({ standings, test, leases, clock, random, logger }),
      [tokens.standings, tokens.testConnection, tokens.leases, tokens.clock, tokens.random, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.pendingConnects).toConstantValue(new MemoryPendingConnects());
  bind(tokens.connectService)
    .toResolvedValue(
      (outbound, standings, grants, pending, ways, probe, names, clock, random, { baseUrl, settings }) =>
        new ConnectService({
          tokens: outbound,
          standings,
          grants,
          pending,
          ways,
          probe,
          names,
          clock,
          random,
          redirectUriOf: (service) => `${baseUrl}/connect/${service}/callback`,
          webhookUserId: settings.WEBHOOK_REGISTRATION ? settings.AUTOMATION_USER_ID : null,
        }),
      [
        tokens.outboundTokens,
        tokens.standings,
        tokens.grants,
        tokens.pendingConnects,
        tokens.connectionWays,
        tokens.probe,
        tokens.serviceNames,
        tokens.clock,
        tokens.random,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.saveCredentials)
    .toResolvedValue(
      (outbound, standings, ways, probe, names, clock) =>
        new SaveCredentials({ tokens: outbound, standings, ways, probe, names, clock }),
      [tokens.outboundTokens, tokens.standings, tokens.connectionWays, tokens.probe, tokens.serviceNames, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.runOperation)
    .toResolvedValue(
      (gateway, accessTokens, catalog, metrics, clock) =>
        new RunOperation({ gateway, accessTokens, catalog, metrics, clock }),
      [tokens.gateway, tokens.accessTokens, tokens.catalog, tokens.operationMetrics, tokens.clock],
    )
    .inSingletonScope();
});

/** Whose vaults may be at private addresses (CONN-017). */
function mayReachPrivate(users: Users, { settings }: Runtime): MayReachPrivate {
  return async (userId) => settings.PRIVATE_ADDRESSES || (await users.find(userId))?.isAdmin === true;
}
