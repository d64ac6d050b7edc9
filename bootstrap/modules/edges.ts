import { ContainerModule } from 'inversify';
import { attentionRoutes } from '#adapters/http/attention/attention-routes.ts';
import { connectionRoutes } from '#adapters/http/connections/connection-routes.ts';
import { connectionsPage, connectionsPageRoute } from '#adapters/http/connections/connections-page.ts';
import { removalRoute } from '#adapters/http/connections/removal-route.ts';
import { homeRoutes } from '#adapters/http/home/home-routes.ts';
import { healthRoutes } from '#adapters/http/monitoring/health-routes.ts';
import { resourceMetadataUrl } from '#adapters/http/oauth/well-known-routes.ts';
import { FormGuard } from '#adapters/http/requests/form-guard.ts';
import { openApiRoute } from '#adapters/http/rest/openapi.ts';
import { operationRoutes } from '#adapters/http/rest/operation-routes.ts';
import { webhookRoutes } from '#adapters/http/webhooks/webhook-routes.ts';
import { subscriptionBounds } from '#adapters/mcp/changes/subscriptions.ts';
import { openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { programTypes } from '#adapters/mcp/programs/type-resource.ts';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { recordNames } from '#adapters/mcp/prompts/record-names.ts';
import { remotePrompts } from '#adapters/mcp/prompts/remote-prompts.ts';
import { writeAReaction } from '#adapters/mcp/prompts/write-a-reaction.ts';
import { approvalResource } from '#adapters/mcp/resources/approval-resource.ts';
import { connectionResource } from '#adapters/mcp/resources/connection-resource.ts';
import { reactionResources } from '#adapters/mcp/resources/reaction-resources.ts';
import { remoteResources } from '#adapters/mcp/resources/remote-resources.ts';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { decisionsIn } from '#adapters/mcp/tools/decisions.ts';
import { McpEndpoint } from '#adapters/mcp/transports/mcp-endpoint.ts';
import { streamBounds } from '#adapters/mcp/transports/stream-sessions.ts';
import { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import { UsageMeter } from '#application/activity/usage-meter.ts';
import { Attention } from '#application/attention/attention.ts';
import { ConnectService } from '#application/connections/connect-service.ts';
import { DisconnectService } from '#application/connections/disconnect-service.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import { NoteUninstall } from '#application/connections/note-uninstall.ts';
import { SaveCredentials } from '#application/connections/save-credentials.ts';
import { TestConnection } from '#application/connections/test-connection.ts';
import { ViewRegistrations } from '#application/webhook-registrations/view-registrations.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import { ReceiveDelivery } from '#application/webhooks/receive-delivery.ts';
import { RefusalLog } from '#application/webhooks/refusal-log.ts';
import { listVersions, remoteOffersOf } from '#bootstrap/modules/remote-servers.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { Readiness } from '#bootstrap/readiness.ts';
import { Storage } from '#bootstrap/stores/storage.ts';
import { streamRoom } from '#bootstrap/stream-room.ts';
import { messageLimit } from '#domain/limits/rate-limit-rules.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

/** Binds the interfaces: MCP, and all HTTP routes. */
export const edges = new ContainerModule(({ bind }) => {
  bind(tokens.mcpFeatures).toDynamicValue((on) => {
    const catalog = on.get(tokens.catalog);
    const stored = on.get(tokens.connections);
    const clock = on.get(tokens.clock);
    const outcomes = on.get(tokens.reactionOutcomes);
    const { baseUrl, settings } = on.get(tokens.runtime);
    const notes = vaultResources(catalog, on.get(tokens.awaitedCalls));
    const list = (user: User) => listConnections(stored, user, clock.now());
    const connections = connectionResource(list, { baseUrl, names: catalog.names });
    const isWriter = on.get(tokens.isReactionWriter);
    const reactions = outcomes === null ? [] : [reactionResources({ outcomes, isWriter })];
    const senders = settings.services.filter(({ service }) => service.sendsWebhooks);
    const programs = on.get(tokens.programs);
    const [run, offers] = [on.get(tokens.awaitedCalls), remoteOffersOf(on.get(tokens.remoteServers))];
    return {
      tools: on.get(tokens.workspaceTools),
      resources: [
        connections,
        approvalResource(on.get(tokens.stores).approvals, () => clock.now()),
        ...reactions,
        ...(programs === null ? [] : [programTypes((user, choice) => programs.offered(user, choice))]),
        remoteResources(offers, run),
        ...(notes === null ? [] : [notes]),
      ],
      prompts: [
        ...workPrompts(notes, recordNames(catalog, on.get(tokens.awaitedCalls))),
        writeAReaction({
          catalog,
          senders: senders.map(({ service }) => service.key),
          folder: settings.REACTIONS_FOLDER,
        }),
      ],
      otherPrompts: remotePrompts({ offers, run, connections: stored }),
      outputSchemas: settings.MCP_OUTPUT_SCHEMAS,
      defaultTools: settings.TOOLS,
      programs,
    };
  });
  bind(McpEndpoint).toDynamicValue((on) => {
    const { settings, version, baseUrl, secrets } = on.get(tokens.runtime);
    const logger = on.get(tokens.logger);
    const { streams: all, openFiles } = streamRoom(settings.MAX_STREAMS);
    if (openFiles !== null && all < settings.MAX_STREAMS)
      logger.warn({ openFiles, streams: all }, 'Fewer streams than MAX_STREAMS: raise the limit of open files');
    return openMcpEndpoint({
      bounds: { ...streamBounds, all },
      subscriptions: { ...subscriptionBounds, all },
      catalog: on.get(tokens.catalog),
      run: on.get(tokens.awaitedCalls),
      decided: decisionsIn(on.get(tokens.stores).approvals),
      features: on.get(tokens.mcpFeatures),
      usage: on.get(UsageMeter),
      baseUrl,
      limit: settings.RATE_LIMITS ? messageLimit : null,
      connections: on.get(tokens.connections),
      grants: on.get(tokens.appGrants),
      personSessions: on.get(tokens.personSessions),
      users: on.get(tokens.users),
      noteChanges: on.get(tokens.noteChanges),
      accountChanges: on.get(tokens.accountChanges),
      resourceChanges: on.get(tokens.resourceChanges),
      random: on.get(tokens.random),
      clock: on.get(tokens.clock),
      logger,
      sharing: on.get(tokens.sharing),
      listVersions: listVersions(on.get(tokens.remoteServers)),
      tracer: on.get(tokens.tracer),
      version,
      stateKey: deriveKey(secrets[0] ?? '', 'mcp request states'),
      metadataUrlOf: settings.OAUTH_METADATA ? (path) => resourceMetadataUrl(baseUrl, path) : null,
    });
  });
  bind(tokens.mayCall).toDynamicValue((on) => {
    const { intake } = on.get(DrainInbox);
    const refusals = new RefusalLog(
      on.get(tokens.clock),
      on.get(tokens.logger),
      'Calls refused: too little processor time',
    );
    return () => {
      const mayCall = intake.mayCall();
      if (!mayCall) refusals.add();
      return mayCall;
    };
  });
  bind(tokens.connectionRoutes).toDynamicValue((on) => {
    const connections = on.get(tokens.connections);
    const methods = on.get(tokens.connectionMethods);
    const connect = on.get(ConnectService);
    const save = on.get(SaveCredentials);
    const test = on.get(TestConnection);
    const hooks = on.get(ViewRegistrations);
    const formGuard = on.get(FormGuard);
    const catalog = on.get(tokens.catalog);
    const { names } = catalog;
    const senders = on.get(tokens.senders);
    const users = on.get(tokens.users);
    const clock = on.get(tokens.clock);
    const grants = on.get(tokens.appGrants);
    const { activityLog } = on.get(tokens.stores);
    const { baseUrl, settings } = on.get(tokens.runtime);
    const list = (user: User) => listConnections(connections, user, clock.now());
    const disconnecting = on.get(DisconnectService);
    const disconnect = (userId: number, service: ServiceKey) => disconnecting.run(userId, service);
    const showPage = connectionsPage({
      formGuard,
      methods,
      names,
      catalog,
      users,
      list,
      senders,
      webhooksOf: (userId, service) => hooks.registrationsOf(userId, service),
      lastUsed: async (userId, service) => (await activityLog.list({ userId, service, limit: 1 }))[0]?.at ?? null,
      now: () => clock.now(),
    });
    const attention = on.get(Attention);
    return [
      ...attentionRoutes({ attention, names, baseUrl }),
      ...homeRoutes({
        baseUrl,
        names,
        users,
        oauthMetadata: settings.OAUTH_METADATA,
        list,
        appsOf: async (userId) =>
          (await grants.list(userId)).map(({ clientName: name, lastUsedAt }) => ({ name, lastUsedAt })),
        usage: activityLog,
        budgets: on.get(ConnectionLimits),
        attentionOf: (user) => attention.of(user),
        now: () => clock.now(),
      }),
      connectionsPageRoute(showPage),
      ...connectionRoutes({
        connect,
        save,
        test,
        list,
        disconnect,
        formGuard,
        names,
        showPage,
      }),
      removalRoute((service, credentials) => on.get(NoteUninstall).run(service, credentials)),
    ];
  });
  bind(tokens.serviceRoutes).toDynamicValue((on) => {
    const catalog = on.get(tokens.catalog);
    const readiness = on.get(Readiness);
    const storage = on.get(Storage);
    const { version, baseUrl, settings } = on.get(tokens.runtime);
    return [
      ...webhookRoutes(on.get(ReceiveDelivery), on.get(tokens.senders), { baseUrl, trouble: storage.trouble }),
      ...healthRoutes({ notReady: () => readiness.reason() }),
      openApiRoute(catalog, { version, baseUrl }),
      ...operationRoutes(
        catalog,
        on.get(tokens.awaitedCalls),
        settings.OAUTH_METADATA ? resourceMetadataUrl(baseUrl, '') : null,
      ),
    ];
  });
});
