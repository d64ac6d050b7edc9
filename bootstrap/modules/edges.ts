import { ContainerModule } from 'inversify';
import { connectionRoutes } from '#adapters/http/connections/connection-routes.ts';
import { connectionsPage, connectionsPageRoute } from '#adapters/http/connections/connections-page.ts';
import { homeRoutes } from '#adapters/http/home/home-routes.ts';
import { healthRoutes } from '#adapters/http/monitoring/health-routes.ts';
import { resourceMetadataUrl } from '#adapters/http/oauth/well-known-routes.ts';
import { openApiRoute } from '#adapters/http/rest/openapi.ts';
import { operationRoutes } from '#adapters/http/rest/operation-routes.ts';
import { webhookRoutes } from '#adapters/http/webhooks/webhook-routes.ts';
import { openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { writeAReaction } from '#adapters/mcp/prompts/write-a-reaction.ts';
import { connectionResource } from '#adapters/mcp/resources/connection-resource.ts';
import { reactionResources } from '#adapters/mcp/resources/reaction-resources.ts';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { messageLimit } from '#domain/limits/rate-limit-rules.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

/** Binds the interfaces: MCP, and all HTTP routes. */
export const edges = new ContainerModule(({ bind }) => {
  bind(tokens.mcpFeatures)
    .toResolvedValue(
      (catalog, runOperation, stored, clock, outcomes, { baseUrl, settings }) => {
        const notes = vaultResources(catalog, (user, call) => runOperation.run(user, call));
        const list = (user: User) => listConnections(stored, user, clock.now());
        const connections = connectionResource(list, { baseUrl, names: catalog.names });
        const isWriter = async ({ id }: User) =>
          id === settings.AUTOMATION_USER_ID || (await stored.overview(id)).isInTeamVault;
        const reactions = outcomes === null ? [] : [reactionResources({ outcomes, isWriter })];
        const senders = settings.services.filter(({ service }) => service.sendsWebhooks);
        return {
          resources: [connections, ...reactions, ...(notes === null ? [] : [notes])],
          prompts: [
            ...workPrompts(notes),
            writeAReaction({
              catalog,
              senders: senders.map(({ service }) => service.key),
              folder: settings.REACTIONS_FOLDER,
            }),
          ],
          outputSchemas: settings.MCP_OUTPUT_SCHEMAS,
        };
      },
      [tokens.catalog, tokens.runOperation, tokens.connections, tokens.clock, tokens.reactionOutcomes, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.mcp)
    .toResolvedValue(
      (
        catalog,
        runOperation,
        connections,
        users,
        noteChanges,
        accountChanges,
        resourceChanges,
        features,
        random,
        clock,
        logger,
        sharing,
        grants,
        personSessions,
        { settings, version, baseUrl, secrets },
        tracer,
      ) =>
        openMcpEndpoint({
          catalog,
          run: runOperation.run.bind(runOperation),
          features,
          baseUrl,
          limit: settings.RATE_LIMITS ? messageLimit : null,
          connections,
          grants,
          personSessions,
          users,
          noteChanges,
          accountChanges,
          resourceChanges,
          random,
          clock,
          logger,
          sharing,
          tracer,
          version,
          stateKey: deriveKey(secrets[0] ?? '', 'mcp request states'),
          metadataUrlOf: settings.OAUTH_METADATA ? (path) => resourceMetadataUrl(baseUrl, path) : null,
        }),
      [
        tokens.catalog,
        tokens.runOperation,
        tokens.connections,
        tokens.users,
        tokens.noteChanges,
        tokens.accountChanges,
        tokens.resourceChanges,
        tokens.mcpFeatures,
        tokens.random,
        tokens.clock,
        tokens.logger,
        tokens.sharing,
        tokens.appGrants,
        tokens.personSessions,
        tokens.runtime,
        tokens.tracer,
      ],
    )
    .inSingletonScope();
  bind(tokens.connectionRoutes)
    .toResolvedValue(
      (
        connections,
        methods,
        connect,
        save,
        test,
        forget,
        hooks,
        formGuard,
        { names, operations },
        senders,
        users,
        clock,
        grants,
        { activityLog },
        { baseUrl, settings },
      ) => {
        const list = (user: User) => listConnections(connections, user, clock.now());
        const disconnect = async (userId: number, service: ServiceKey) => {
          // The webhooks are removed first, which needs the tokens.
          await forget.run(userId, service);
          return connections.remove(userId, service);
        };
        const showPage = connectionsPage({
          formGuard,
          methods,
          names,
          operations,
          users,
          list,
          senders,
          webhooksOf: (userId, service) => hooks.registrationsOf(userId, service),
          lastUsed: async (userId, service) => (await activityLog.list({ userId, service, limit: 1 }))[0]?.at ?? null,
          now: () => clock.now(),
        });
        return [
          ...homeRoutes({
            baseUrl,
            names,
            users,
            oauthMetadata: settings.OAUTH_METADATA,
            list,
            appsOf: async (userId) =>
              (await grants.list(userId)).map(({ clientName: name, lastUsedAt }) => ({ name, lastUsedAt })),
          }),
          connectionsPageRoute(showPage),
          ...connectionRoutes({ connect, save, test, list, disconnect, formGuard, names, showPage }),
        ];
      },
      [
        tokens.connections,
        tokens.connectionMethods,
        tokens.connectService,
        tokens.saveCredentials,
        tokens.testConnection,
        tokens.forgetRegistrations,
        tokens.viewRegistrations,
        tokens.formGuard,
        tokens.catalog,
        tokens.senders,
        tokens.users,
        tokens.clock,
        tokens.appGrants,
        tokens.stores,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.serviceRoutes)
    .toResolvedValue(
      (catalog, runOperation, receive, senders, readiness, storage, { version, baseUrl, settings }) => [
        ...webhookRoutes(receive, senders, () => storage.trouble()),
        ...healthRoutes({ notReady: () => readiness.reason() }),
        openApiRoute(catalog, { version, baseUrl }),
        ...operationRoutes(
          catalog,
          (user, call) => runOperation.run(user, call),
          settings.OAUTH_METADATA ? resourceMetadataUrl(baseUrl, '') : null,
        ),
      ],
      [
        tokens.catalog,
        tokens.runOperation,
        tokens.receiveDelivery,
        tokens.senders,
        tokens.readiness,
        tokens.storage,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
});
