import { setTimeout as delay } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { RemoteGrants } from '#adapters/mcp-client/oauth/remote-grants.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { ProviderConnectionMethods } from '#adapters/services/credentials/connection-methods.ts';
import { GatewayProbe } from '#adapters/services/credentials/gateway-probe.ts';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import { BudgetShares } from '#adapters/services/limits/budget-shares.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import type { MayReachPrivate } from '#adapters/services/requests/given-address.ts';
import { deletingForGood } from '#adapters/services/vault/details/deleted-for-good.ts';
import { awaitedCalls } from '#adapters/services/webhooks/timed-call.ts';
import { connectionsOfActive } from '#adapters/stores/gone-with.ts';
import { RecordActivity } from '#application/activity/record-activity.ts';
import { UsageMeter } from '#application/activity/usage-meter.ts';
import { ChangeGate } from '#application/changes/change-gate.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { ConnectService } from '#application/connections/connect-service.ts';
import { DeliveryConnections } from '#application/connections/delivery-connections.ts';
import { GrantsByService } from '#application/connections/grants-by-service.ts';
import { NoteUninstall } from '#application/connections/note-uninstall.ts';
import { ProbeRejected } from '#application/connections/probe-rejected.ts';
import { RenewDueTokens } from '#application/connections/renew-due-tokens.ts';
import { SaveCredentials } from '#application/connections/save-credentials.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import type { Users } from '#application/ports/users.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { providerSettings } from '#bootstrap/modules/provider-settings.ts';
import { answeredAddresses, grantSources, providersFrom } from '#bootstrap/modules/providers.ts';
import { isOAuthServer } from '#bootstrap/modules/remote-setup.ts';
import { type Runtime, tokens } from '#bootstrap/modules/tokens.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds the services: their operations, the users' connections to them, and how operations run. */
export const services = new ContainerModule(({ bind }) => {
  bind(tokens.providers).toDynamicValue((on) => {
    const local = on.get(tokens.localOperations);
    const remotes = on.get(tokens.remoteServers);
    return providersFrom(on.get(tokens.runtime).settings).map((provider) => {
      const remote = remotes.get(provider.service);
      if (remote !== undefined) return { ...provider, remote };
      return provider.service === 'vault' ? { ...provider, local } : provider;
    });
  });
  bind(tokens.catalog).toDynamicValue((on) => {
    const catalog = catalogOf(on.get(tokens.providers));
    return on.get(tokens.runtime).settings.UNDO_DAYS === 0 ? deletingForGood(catalog) : catalog;
  });
  bind(tokens.serviceNames).toDynamicValue((on) => on.get(tokens.catalog).names);
  bind(tokens.serverFacts).toDynamicValue((on) => on.get(tokens.stores).serverFacts);
  bind(tokens.connections).toDynamicValue((on) => on.get(tokens.stores).connections);
  bind(tokens.leases).toDynamicValue((on) => on.get(tokens.stores).leases);
  bind(ProviderSettings).toDynamicValue(providerSettings);
  bind(tokens.grants).toDynamicValue((on) => {
    const sources = grantSources(on.get(tokens.runtime).settings);
    const usual = new HttpProviderGrants(sources, on.get(HttpClient), on.get(tokens.clock));
    return new GrantsByService(usual, on.get(RemoteGrants), isOAuthServer(on));
  });
  bind(AccessTokens).toDynamicValue(
    (on) =>
      new AccessTokens({
        connections: on.get(tokens.connections),
        grants: on.get(tokens.grants),
        leases: on.get(tokens.leases),
        users: on.get(tokens.users),
        names: on.get(tokens.serviceNames),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        logger: on.get(tokens.logger),
        pause: (ms) => delay(ms),
      }),
  );
  bind(RenewDueTokens).toDynamicValue(
    (on) =>
      new RenewDueTokens({
        connections: on.get(tokens.connections),
        grants: on.get(tokens.grants),
        accessTokens: on.get(AccessTokens),
        users: on.get(tokens.users),
        clock: on.get(tokens.clock),
        logger: on.get(tokens.logger),
      }),
  );
  bind(ConnectionLimits).toDynamicValue((on) => {
    const others = on.get(tokens.otherServers);
    return new ConnectionLimits({ shares: others.isAlone() ? null : new BudgetShares(others) });
  });
  bind(UsageMeter).toDynamicValue((on) => new UsageMeter(on.get(tokens.clock)));
  bind(RecordActivity).toDynamicValue((on) => {
    const runOperation = on.get(RunOperation);
    return new RecordActivity({
      takeCalls: () => runOperation.takeCalls(),
      takeUsage: () => on.get(UsageMeter).take(),
      log: on.get(tokens.stores).activityLog,
      logger: on.get(tokens.logger),
    });
  });
  bind(tokens.localOperations).toDynamicValue(() => new Map());
  bind(tokens.noteStamps).toDynamicValue(() => ({ of: null }));
  bind(tokens.gateway).toDynamicValue((on) => {
    const notes = on.get(tokens.noteChanges);
    return new HttpServiceGateway({
      providers: on.get(tokens.providers),
      http: on.get(HttpClient),
      limits: on.get(ConnectionLimits),
      onNoteChange: (change) => notes.publish(change),
      mayReachPrivate: mayReachPrivate(on.get(tokens.users), on.get(tokens.runtime)),
    });
  });
  bind(tokens.probe).toDynamicValue(
    (on) =>
      new GatewayProbe(on.get(tokens.providers), on.get(HttpClient), {
        limits: on.get(ConnectionLimits),
        mayReachPrivate: mayReachPrivate(on.get(tokens.users), on.get(tokens.runtime)),
      }),
  );
  bind(tokens.connectionMethods).toDynamicValue(
    (on) =>
      new ProviderConnectionMethods(
        on.get(tokens.providers),
        grantSources(on.get(tokens.runtime).settings),
        isOAuthServer(on),
      ),
  );
  bind(TestConnection).toDynamicValue(
    (on) =>
      new TestConnection({
        connections: on.get(tokens.connections),
        probe: on.get(tokens.probe),
        accessTokens: on.get(AccessTokens),
        names: on.get(tokens.serviceNames),
        clock: on.get(tokens.clock),
        logger: on.get(tokens.logger),
      }),
  );
  bind(DeliveryConnections).toDynamicValue((on) => {
    const storage = on.get(Storage);
    return new DeliveryConnections(on.get(tokens.connections), on.get(tokens.clock), on.get(AutomationUser), {
      // Notes that go to a sink do not depend on a connection to a vault.
      without: on.get(tokens.config).sink === null ? [] : ['vault'],
      trouble: storage.trouble,
    });
  });
  bind(ProbeRejected).toDynamicValue(
    (on) =>
      new ProbeRejected({
        connections: on.get(tokens.connections),
        test: on.get(TestConnection),
        users: on.get(tokens.users),
        leases: on.get(tokens.leases),
        clock: on.get(tokens.clock),
        random: on.get(tokens.random),
        logger: on.get(tokens.logger),
      }),
  );
  bind(NoteUninstall).toDynamicValue(
    (on) =>
      new NoteUninstall({
        grants: on.get(tokens.grants),
        connections: on.get(tokens.connections),
        test: on.get(TestConnection),
        users: on.get(tokens.users),
        logger: on.get(tokens.logger),
      }),
  );
  bind(tokens.pendingConnects).toDynamicValue((on) => on.get(tokens.stores).pendingConnects);
  bind(ConnectService).toDynamicValue((on) => {
    const { baseUrl, settings } = on.get(tokens.runtime);
    return new ConnectService({
      connections: connectionsOfActive(on.get(tokens.connections), on.get(tokens.users)),
      grants: on.get(tokens.grants),
      pending: on.get(tokens.pendingConnects),
      methods: on.get(tokens.connectionMethods),
      probe: on.get(tokens.probe),
      names: on.get(tokens.serviceNames),
      clock: on.get(tokens.clock),
      random: on.get(tokens.random),
      logger: on.get(tokens.logger),
      redirectUriOf: (service) => `${baseUrl}/connect/${service}/callback`,
      webhookUserId: settings.WEBHOOK_REGISTRATION ? settings.AUTOMATION_USER_ID : null,
    });
  });
  bind(SaveCredentials).toDynamicValue(
    (on) =>
      new SaveCredentials({
        connections: connectionsOfActive(on.get(tokens.connections), on.get(tokens.users)),
        methods: on.get(tokens.connectionMethods),
        probe: on.get(tokens.probe),
        names: on.get(tokens.serviceNames),
        clock: on.get(tokens.clock),
      }),
  );
  bind(tokens.awaitedCalls).toDynamicValue((on) => {
    const operations = on.get(RunOperation);
    const { settings } = on.get(tokens.runtime);
    return awaitedCalls(operations.run.bind(operations), on.get(tokens.serviceNames), settings.TOOL_DEADLINE_MS);
  });
  bind(RunOperation).toDynamicValue((on) => {
    const addresses = answeredAddresses(on.get(tokens.runtime).settings.services);
    return new RunOperation({
      gateway: on.get(tokens.gateway),
      accessTokens: on.get(AccessTokens),
      catalog: on.get(tokens.catalog),
      metrics: on.get(tokens.operationMetrics),
      clock: on.get(tokens.clock),
      gate: on.get(ChangeGate),
      answeredAddresses: addresses,
    });
  });
});

/** Decides whether a user's vault may be at a private address (CONN-017). */
function mayReachPrivate(users: Users, { settings }: Runtime): MayReachPrivate {
  return async (userId) => settings.PRIVATE_ADDRESSES || (await users.find(userId))?.isAdmin === true;
}
