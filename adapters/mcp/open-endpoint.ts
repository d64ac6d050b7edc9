import { catalogTools, type RunOperationFor } from '#adapters/mcp/catalog-tools.ts';
import { HttpSessions, type SessionBounds, sessionBounds } from '#adapters/mcp/http-sessions.ts';
import { lifecycleMethods } from '#adapters/mcp/lifecycle-methods.ts';
import { McpEndpoint } from '#adapters/mcp/mcp-endpoint.ts';
import type { Prompt } from '#adapters/mcp/prompt.ts';
import { completionMethod, promptMethods } from '#adapters/mcp/prompt-methods.ts';
import { ProtocolDispatcher } from '#adapters/mcp/protocol-dispatcher.ts';
import { RequestStates } from '#adapters/mcp/request-states.ts';
import type { ResourceSource } from '#adapters/mcp/resource.ts';
import { resourceMethods } from '#adapters/mcp/resource-methods.ts';
import { type StreamBounds, StreamSessions, streamBounds } from '#adapters/mcp/stream-sessions.ts';
import type { Tool } from '#adapters/mcp/tool.ts';
import { toolMethods } from '#adapters/mcp/tool-methods.ts';
import { ToolRegistry } from '#adapters/mcp/tool-registry.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectedServices } from '#application/ports/connected-services.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Random } from '#application/ports/random.ts';

/** What MCP offers beside the operations of the catalog. */
export type Features = Readonly<{
  tools?: readonly Tool[];
  resources?: readonly ResourceSource[];
  prompts?: readonly Prompt[];
  /** Whether tools tell the client of what they do. */
  logging?: boolean;
}>;

/** What the endpoint is made of; `version` is the product's, `stateKey` 32 bytes for what clients bring back. */
export type McpParts = Readonly<{
  catalog: OperationCatalog;
  run: RunOperationFor;
  connected: ConnectedServices;
  random: Random;
  clock: Clock;
  logger: Logger;
  version: string;
  stateKey: Uint8Array;
  features?: Features;
  bounds?: StreamBounds;
  sessions?: SessionBounds;
}>;

/** What answers requests, over the operations of the catalog: everything that is the same for all requests is built here. */
export function openDispatcher(parts: Omit<McpParts, 'random' | 'bounds' | 'sessions'>): ProtocolDispatcher {
  const { catalog, run, connected, clock, logger, version, stateKey, features = {} } = parts;
  const { resources = [], prompts = [], logging = false } = features;
  const all = new ToolRegistry([...(features.tools ?? []), ...catalogTools(catalog, run)], version);
  const catalogue = new ToolRegistry([], version);
  const abilities = { resources: resources.length > 0, prompts: prompts.length > 0, logging };
  const methods = {
    ...lifecycleMethods(version, abilities),
    ...toolMethods({ all, catalogue, connected, logger }),
    ...(abilities.resources ? resourceMethods(resources) : {}),
    ...(abilities.prompts ? promptMethods(prompts) : {}),
    ...(abilities.resources || abilities.prompts ? completionMethod(prompts, resources) : {}),
  };
  return new ProtocolDispatcher({ methods, states: new RequestStates(stateKey, clock), logger, version });
}

/** Opens the MCP endpoint. */
export function openMcpEndpoint(parts: McpParts): McpEndpoint {
  const { random, bounds = streamBounds, sessions = sessionBounds } = parts;
  const dispatcher = openDispatcher(parts);
  return new McpEndpoint(
    dispatcher,
    new StreamSessions(dispatcher, random, bounds),
    new HttpSessions(random, sessions),
  );
}
