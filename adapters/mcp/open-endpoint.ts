import { catalogTools, type RunOperationFor } from '#adapters/mcp/catalog-tools.ts';
import { catalogueTools, directTools } from '#adapters/mcp/catalogue-tools.ts';
import { HttpSessions, type SessionBounds, sessionBounds } from '#adapters/mcp/http-sessions.ts';
import { isObject } from '#adapters/mcp/json-rpc.ts';
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
import { noteUri } from '#adapters/mcp/vault-resources.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { ConnectedServices } from '#application/ports/connected-services.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Random } from '#application/ports/random.ts';
import { type BucketRule, TokenBuckets } from '#infrastructure/limits/token-buckets.ts';

/** What MCP offers beside the operations of the catalog. */
export type Features = Readonly<{
  tools?: readonly Tool[];
  resources?: readonly ResourceSource[];
  prompts?: readonly Prompt[];
  /** Whether tools tell the client of what they do. */
  logging?: boolean;
}>;

/**
 * What the endpoint is made of; `version` is the product's, `baseUrl` how clients reach it, `stateKey` 32 bytes for what clients
 * bring back. Without `limit` messages are not counted.
 */
export type McpParts = Readonly<{
  catalog: OperationCatalog;
  run: RunOperationFor;
  connected: ConnectedServices;
  random: Random;
  clock: Clock;
  logger: Logger;
  version: string;
  baseUrl: string;
  stateKey: Uint8Array;
  features?: Features;
  bounds?: StreamBounds;
  sessions?: SessionBounds;
  limit?: BucketRule | null;
}>;

/** Messages that one user may send. Not in the contract: a bound of ours. */
export const messageLimit: BucketRule = { burst: 600, perSecond: 20 };

/** What answers requests, over the operations of the catalog: everything that is the same for all requests is built here. */
export function openDispatcher(parts: Omit<McpParts, 'random' | 'bounds' | 'sessions' | 'limit'>): ProtocolDispatcher {
  const { catalog, run, connected, clock, logger, version, baseUrl, stateKey, features = {} } = parts;
  const { resources = [], prompts = [], logging = false } = features;
  const all = new ToolRegistry([...(features.tools ?? []), ...catalogTools(catalog, run, baseUrl)], version);
  const direct = directTools.flatMap((name) => all.find(name) ?? []);
  const catalogue = new ToolRegistry([...catalogueTools(all, connected), ...direct], version);
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
  const { random, clock, bounds = streamBounds, sessions = sessionBounds, limit = null } = parts;
  let tellChanged: McpEndpoint['tellChanged'] = () => {};
  const run: RunOperationFor = async (user, call) => {
    const outcome = await parts.run(user, call);
    const path = changedNote(parts.catalog, call);
    if (outcome.ok && path !== null) tellChanged(noteUri(path), user.id);
    return outcome;
  };
  const dispatcher = openDispatcher({ ...parts, run });
  const buckets = limit === null ? null : new TokenBuckets(limit);
  const endpoint = new McpEndpoint(dispatcher, {
    streams: new StreamSessions(dispatcher, random, bounds),
    sessions: new HttpSessions(random, sessions),
    limit: (userId, count) => buckets?.take(userId, count, clock.now()) ?? 0,
  });
  tellChanged = (uri, userId) => endpoint.tellChanged(uri, userId);
  return endpoint;
}

/** The path of the note that a call of the vault changes; null when it changes none. */
function changedNote(
  { operations }: OperationCatalog,
  { service, name, input }: Parameters<RunOperationFor>[1],
): string | null {
  if (service !== 'vault' || !isObject(input) || typeof input['path'] !== 'string') return null;
  const operation = operations.find((candidate) => candidate.service === service && candidate.name === name);
  return operation === undefined || operation.effect === 'read' ? null : input['path'];
}
