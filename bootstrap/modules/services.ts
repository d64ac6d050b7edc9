import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { BudgetShares } from '#adapters/services/budget-shares.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { ConnectionLimits } from '#adapters/services/connection-limits.ts';
import { ProviderConnectionMethods } from '#adapters/services/connection-methods.ts';
import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import { GatewayProbe } from '#adapters/services/gateway-probe.ts';
import type { MayReachPrivate } from '#adapters/services/given-address.ts';
import { HttpProviderGrants } from '#adapters/services/provider-grants.ts';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { ConnectService } from '#application/connections/connect-service.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { ProbeRejected } from '#application/connections/probe-rejected.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import { SaveCredentials } from '#application/connections/save-credentials.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import type { Users } from '#application/ports/users.ts';
import { answeredAddresses } from '#bootstrap/modules/answered-addresses.ts';
import { grantSources, providersFrom } from '#bootstrap/modules/providers.ts';
import type { Runtime } from '#bootstrap/modules/runtime.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** Binds the services: their operations, the users' connections to them, and how operations run. */
export const services = new ContainerModule(({ bind }) => {
  bind(tokens.providers)
    .toResolvedValue(
      ({ settings }, local) =>
        providersFrom(settings).map((provider) => (provider.service === 'vault' ? { ...provider, local } : provider)),
      [tokens.runtime, tokens.localOperations],
    )
    .inSingletonScope();
  bind(tokens.catalog)
    .toResolvedValue((providers) => catalogOf(providers), [tokens.providers])
    .inSingletonScope();
  bind(tokens.serviceNames).toResolvedValue((catalog) => catalog.names, [tokens.catalog]);
  bind(tokens.serverFacts).toResolvedValue(({ serverFacts }) => serverFacts, [tokens.stores]);
  bind(tokens.connections).toResolvedValue(({ connections }) => connections, [tokens.stores]);
  bind(tokens.leases).toResolvedValue(({ leases }) => leases, [tokens.stores]);
  bind(tokens.grants)
    .toResolvedValue(
      ({ settings }, http, clock) => new HttpProviderGrants(grantSources(settings), http, clock),
      [tokens.runtime, tokens.http, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.accessTokens)
    .toResolvedValue(
      (connections, grants, leases, users, names, clock, random, logger) =>
        new AccessTokens({
          connections,
          grants,
          leases,
          users,
          names,
          clock,
          random,
          logger,
          pause: (ms) => delay(ms),
        }),
      [
        tokens.connections,
        tokens.grants,
        tokens.leases,
        tokens.users,
        tokens.serviceNames,
        tokens.clock,
        tokens.random,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.renewDueTokens)
    .toResolvedValue(
      (connections, grants, accessTokens, users, clock, logger) =>
        new RenewDueTokens({ connections, grants, accessTokens, users, clock, logger }),
      [tokens.connections, tokens.grants, tokens.accessTokens, tokens.users, tokens.clock, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.connectionLimits)
    .toResolvedValue(
      (others) => new ConnectionLimits({ shares: others.isAlone() ? null : new BudgetShares(others) }),
      [tokens.otherServers],
    )
    .inSingletonScope();
  bind(tokens.recordActivity)
    .toResolvedValue(
      (runOperation, { activityLog }, logger) =>
        new RecordActivity({ takeCalls: () => runOperation.takeCalls(), log: activityLog, logger }),
      [tokens.runOperation, tokens.stores, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.localOperations)
    .toResolvedValue(() => new Map())
    .inSingletonScope();
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
  bind(tokens.connectionMethods)
    .toResolvedValue(
      (providers, { settings }) => new ProviderConnectionMethods(providers, grantSources(settings)),
      [tokens.providers, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.testConnection)
    .toResolvedValue(
      (connections, probe, accessTokens, names, clock, logger) =>
        new TestConnection({ connections, probe, accessTokens, names, clock, logger }),
      [tokens.connections, tokens.probe, tokens.accessTokens, tokens.serviceNames, tokens.clock, tokens.logger],
    )
    .inSingletonScope();
  bind(tokens.deliveryConnections)
    .toResolvedValue(
      (connections, clock, automation, { sink }, storage) =>
        new DeliveryConnections(connections, clock, automation, {
          // Notes that go to a sink do not depend on a connection to a vault.
          without: sink === null ? [] : ['vault'],
          trouble: () => storage.trouble(),
        }),
      [tokens.connections, tokens.clock, tokens.automationUser, tokens.config, tokens.storage],
    )
    .inSingletonScope();
  bind(tokens.probeRejected)
    .toResolvedValue(
      (connections, test, users, leases, clock, random, logger) =>
        new ProbeRejected({ connections, test, users, leases, clock, random, logger }),
      [
        tokens.connections,
        tokens.testConnection,
        tokens.users,
        tokens.leases,
        tokens.clock,
        tokens.random,
        tokens.logger,
      ],
    )
    .inSingletonScope();
  bind(tokens.pendingConnects).toResolvedValue(({ pendingConnects }) => pendingConnects, [tokens.stores]);
  bind(tokens.connectService)
    .toResolvedValue(
      (connections, grants, pending, methods, probe, names, clock, random, logger, { baseUrl, settings }) =>
        new ConnectService({
          connections,
          grants,
          pending,
          methods,
          probe,
          names,
          clock,
          random,
          logger,
          redirectUriOf: (service) => `${baseUrl}/connect/${service}/callback`,
          webhookUserId: settings.WEBHOOK_REGISTRATION ? settings.AUTOMATION_USER_ID : null,
        }),
      [
        tokens.connections,
        tokens.grants,
        tokens.pendingConnects,
        tokens.connectionMethods,
        tokens.probe,
        tokens.serviceNames,
        tokens.clock,
        tokens.random,
        tokens.logger,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.saveCredentials)
    .toResolvedValue(
      (connections, methods, probe, names, clock) => new SaveCredentials({ connections, methods, probe, names, clock }),
      [tokens.connections, tokens.connectionMethods, tokens.probe, tokens.serviceNames, tokens.clock],
    )
    .inSingletonScope();
  bind(tokens.runOperation)
    .toResolvedValue(
      (gateway, accessTokens, catalog, metrics, clock, { settings }) => {
        const addresses = answeredAddresses(settings.services);
        return new RunOperation({ gateway, accessTokens, catalog, metrics, clock, answeredAddresses: addresses });
      },
      [tokens.gateway, tokens.accessTokens, tokens.catalog, tokens.operationMetrics, tokens.clock, tokens.runtime],
    )
    .inSingletonScope();
});

/** Decides whether a user's vault may be at a private address (CONN-017). */
function mayReachPrivate(users: Users, { settings }: Runtime): MayReachPrivate {
  return async (userId) => settings.PRIVATE_ADDRESSES || (await users.find(userId))?.isAdmin === true;
}
