import { ContainerModule } from 'inversify';
import { authRoutes } from '#adapters/http/auth-routes.ts';
import { connectionRoutes } from '#adapters/http/connection-routes.ts';
import { healthRoutes } from '#adapters/http/health-routes.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { openApiRoute } from '#adapters/http/openapi.ts';
import { operationRoutes } from '#adapters/http/operation-routes.ts';
import { homeRoutes, type ShownConnection } from '#adapters/http/pages/home-routes.ts';
import { webhookRoutes } from '#adapters/http/webhook-routes.ts';
import { openMcpEndpoint } from '#adapters/mcp/open-endpoint.ts';
import { disconnectService } from '#application/connections/disconnect-service.ts';
import { listConnections } from '#application/connections/list-connections.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { Runtime } from '#bootstrap/runtime.ts';
import { tokens } from '#bootstrap/tokens.ts';
import { serviceKeys } from '#domain/services/service-key.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';

/** The edges: MCP, and all HTTP routes. */
export const edges = new ContainerModule(({ bind }) => {
  bind(tokens.mcp)
    .toResolvedValue(
      (catalog, runOperation, connected, random, clock, logger, { version, secrets }) =>
        openMcpEndpoint({
          catalog,
          run: (user, call) => runOperation.run(user, call),
          connected,
          random,
          clock,
          logger,
          version,
          stateKey: deriveKey(secrets[0] ?? '', 'mcp request states'),
        }),
      [
        tokens.catalog,
        tokens.runOperation,
        tokens.connectedServices,
        tokens.random,
        tokens.clock,
        tokens.logger,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.authRoutes)
    .toResolvedValue(
      (ports, identifyCaller, formGuard, runtime) =>
        authRoutes({ ports, identifyCaller, formGuard, settings: authSettings(runtime) }),
      [tokens.authPorts, tokens.identifyCaller, tokens.formGuard, tokens.runtime],
    )
    .inSingletonScope();
  bind(tokens.connectionRoutes)
    .toResolvedValue(
      (outbound, standings, connect, save, formGuard, { baseUrl }) => [
        ...homeRoutes({
          baseUrl,
          formGuard,
          connectionsOf: (user) => shownConnections({ tokens: outbound, standings }, user.id),
        }),
        ...connectionRoutes({
          connect,
          save,
          formGuard,
          list: (userId) => listConnections({ tokens: outbound, standings }, userId),
          disconnect: (userId, service) => disconnectService({ tokens: outbound, standings }, userId, service),
        }),
      ],
      [
        tokens.outboundTokens,
        tokens.standings,
        tokens.connectService,
        tokens.saveCredentials,
        tokens.formGuard,
        tokens.runtime,
      ],
    )
    .inSingletonScope();
  bind(tokens.serviceRoutes)
    .toResolvedValue(
      (mcp, catalog, runOperation, receive, readiness, { version, baseUrl }) => [
        ...mcpRoutes(mcp),
        ...webhookRoutes(receive),
        ...healthRoutes({ readiness: () => readiness.isReady() }),
        openApiRoute(catalog, { version, baseUrl }),
        ...operationRoutes(catalog, (user, call) => runOperation.run(user, call)),
      ],
      [tokens.mcp, tokens.catalog, tokens.runOperation, tokens.receiveDelivery, tokens.readiness, tokens.runtime],
    )
    .inSingletonScope();
});

function authSettings({ settings, baseUrl, listensOnLoopback }: Runtime) {
  return { baseUrl, listensOnLoopback, oauthMetadata: settings.OAUTH_METADATA, oauthStrict: settings.OAUTH_STRICT };
}

/** All five services, those without a connection too. */
async function shownConnections(
  ports: Readonly<{ tokens: OutboundTokens; standings: ConnectionStandings }>,
  userId: number,
): Promise<readonly ShownConnection[]> {
  const connections = new Map(
    (await listConnections(ports, userId)).map((connection) => [connection.service, connection]),
  );
  return serviceKeys.map((service) => {
    const { state, reason } = connections.get(service) ?? { state: 'none' as const, reason: null };
    return { service, state, reason };
  });
}
