import type { AccountChange, Changes, NoteChange, ResourceChange } from '#adapters/contracts/changes.ts';
import { Listeners, type ListeningTiming, type ListVersions } from '#adapters/mcp/changes/listeners.ts';
import { type ListKind, listKinds } from '#adapters/mcp/changes/shown-services.ts';
import { type SubscriptionBounds, Subscriptions, subscriptionBounds } from '#adapters/mcp/changes/subscriptions.ts';
import type { Prompt, PromptSource } from '#adapters/mcp/prompts/prompt.ts';
import { completionMethod, promptMethods } from '#adapters/mcp/prompts/prompt-methods.ts';
import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { lifecycleMethods } from '#adapters/mcp/protocol/lifecycle-methods.ts';
import { GuardedDispatcher, ProtocolDispatcher } from '#adapters/mcp/protocol/protocol-dispatcher.ts';
import { RequestStates } from '#adapters/mcp/protocol/request-states.ts';
import { TracedDispatcher } from '#adapters/mcp/protocol/traced-dispatcher.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { resourceMethods } from '#adapters/mcp/resources/resource-methods.ts';
import { toolLists } from '#adapters/mcp/tool-lists.ts';
import type { AwaitDecision } from '#adapters/mcp/tools/decisions.ts';
import { HeldCalls } from '#adapters/mcp/tools/held-calls.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { type AnswerUsage, toolMethods } from '#adapters/mcp/tools/tool-methods.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { HttpSessions } from '#adapters/mcp/transports/http-sessions.ts';
import { LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { McpEndpoint } from '#adapters/mcp/transports/mcp-endpoint.ts';
import { ScopeChallenges } from '#adapters/mcp/transports/scope-challenges.ts';
import { type SessionBounds, sessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import { SharedBuckets } from '#adapters/mcp/transports/shared-buckets.ts';
import type { Sharing } from '#adapters/mcp/transports/shared-sessions.ts';
import { type StreamBounds, StreamSessions, streamBounds } from '#adapters/mcp/transports/stream-sessions.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Grants } from '#application/ports/grants.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { OperationCatalog } from '#application/ports/operation-catalog.ts';
import type { Random } from '#application/ports/random.ts';
import type { Sessions } from '#application/ports/sessions.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Users } from '#application/ports/users.ts';
import type { RunProgram } from '#application/programs/run-program.ts';
import { type BucketRule, TokenBuckets } from '#infrastructure/limits/token-buckets.ts';

/** What the MCP endpoint offers besides the operations of the catalog. */
export type Features = Readonly<{
  tools?: readonly Tool[];
  resources?: readonly ResourceSource[];
  prompts?: readonly Prompt[];
  /** Prompts that come and go, besides these. */
  otherPrompts?: PromptSource;
  /** Whether lists of tools include output schemas for clients that did not ask for them. */
  outputSchemas?: boolean;
  /** The tools of the default list: all, or the planned ones only (TOOL-011). */
  defaultTools?: 'all' | 'contract';
  /** Whether tools send log messages to the client. */
  logging?: boolean;
  /** Runs programs of apps; without it there is no `workspace_run`. */
  programs?: Pick<RunProgram, 'run' | 'offered'> | null;
}>;

/**
 * The endpoint's dependencies. `version` is the product's, `baseUrl` how clients reach it, `stateKey` 32 bytes to
 * authenticate request states. Without `limit` messages are not rate-limited.
 */
export type McpDependencies = Readonly<{
  catalog: OperationCatalog;
  run: RunOperationFor;
  /** Waits for what a person decides at `/approvals`; without it nothing is waited for. */
  decided?: AwaitDecision;
  connections: Pick<Connections, 'overview'>;
  /** The grants of apps: revoking one closes its streams. Without it, none is closed for that. */
  grants?: Pick<Grants, 'find'>;
  /** The sessions of persons: ending one closes its streams. Without it, none is closed for that. */
  personSessions?: Pick<Sessions, 'find'>;
  users: Pick<Users, 'find'>;
  noteChanges: Changes<NoteChange>;
  accountChanges: Changes<AccountChange>;
  /** Changes of resources other than notes; none by default. */
  resourceChanges?: Changes<ResourceChange>;
  random: Random;
  clock: Clock;
  logger: Logger;
  version: string;
  baseUrl: string;
  stateKey: Uint8Array;
  features?: Features;
  bounds?: StreamBounds;
  sessions?: SessionBounds;
  subscriptions?: SubscriptionBounds;
  listening?: ListeningTiming;
  limit?: BucketRule | null;
  /** How sessions are shared with the other servers on the database; without it this server is alone. */
  sharing?: Sharing | null;
  /** The versions of the lists of services that change while the server runs; none by default. */
  listVersions?: ListVersions;
  /** Handles requests in place of the server's own dispatcher. */
  dispatcher?: Dispatcher;
  /**
   * Returns the address of the metadata (RFC 9728) of the resource at a path, from which clients learn how to ask for a
   * wider scope; null when there is none.
   */
  metadataUrlOf?: ((path: string) => string) | null;
  /** Notes the tokens, about, of each answer of a tool to an app. */
  usage?: AnswerUsage;
  /** Records requests as spans; null or absent when tracing is off. */
  tracer?: Tracer | null;
}>;

/** The dispatcher of requests, the change listeners, and the streams that requests opened for them. */
type OpenDispatcher = Readonly<{
  dispatcher: GuardedDispatcher;
  /** All tools as they are now, whatever a user's rights. */
  tools: () => ToolRegistry;
  listeners: Listeners;
  subscriptions: Subscriptions;
}>;

/** Builds the dispatcher over the operations of the catalog, with everything that requests share. */
export function openDispatcher(
  dependencies: Omit<McpDependencies, 'random' | 'bounds' | 'sessions' | 'limit'>,
): OpenDispatcher {
  const { catalog, connections, clock, logger, version, stateKey, features = {} } = dependencies;
  const { resources = [], prompts = [], outputSchemas = false, logging = false, defaultTools = 'all' } = features;
  const { programs = null, otherPrompts } = features;
  const { sharing = null } = dependencies;
  const lists = toolLists({
    ...dependencies,
    tools: features.tools ?? [],
    outputSchemas,
    defaultTools,
    programs,
    held: new HeldCalls(() => sharing?.others.isAlone() ?? true),
  });
  const abilities = { resources: resources.length > 0, prompts: prompts.length > 0, logging };
  const offers = { tools: true, ...abilities };
  const offered: readonly ListKind[] = listKinds.filter((kind) => offers[kind]);
  const { listening, subscriptions: bounds = subscriptionBounds } = dependencies;
  const listeners = new Listeners({
    ...dependencies,
    offered,
    services: catalog.names.keys,
    ...(listening === undefined ? {} : { timing: listening }),
  });
  const subscriptions = new Subscriptions({ listeners, sources: resources, offered, clock, version, bounds });
  const methods = {
    ...subscriptions.methods,
    ...lifecycleMethods(version, abilities, catalog.instructions),
    ...toolMethods({ lists, connections, logger, usage: dependencies.usage }),
    ...(abilities.resources ? resourceMethods(resources) : {}),
    ...(abilities.prompts ? promptMethods(prompts, otherPrompts) : {}),
    ...(abilities.resources || abilities.prompts ? completionMethod(prompts, resources, otherPrompts) : {}),
  };
  const states = new RequestStates(stateKey, clock);
  const plain = dependencies.dispatcher ?? new ProtocolDispatcher({ methods, states, logger, version });
  const { tracer = null } = dependencies;
  const isTool = (name: string): boolean => {
    const { all, catalogue, programs: withPrograms } = lists();
    return all.tools.has(name) || catalogue.tools.has(name) || withPrograms.tools.has(name);
  };
  const inner = tracer === null ? plain : new TracedDispatcher(plain, tracer, isTool);
  return {
    dispatcher: new GuardedDispatcher(inner),
    tools: () => lists().searched,
    listeners,
    subscriptions,
  };
}

/** The rate limit of users' messages, shared by the servers on one database. */
function bucketsOf(rule: BucketRule, sharing: Sharing | null, clock: Clock): Pick<TokenBuckets, 'take'> {
  const buckets = new TokenBuckets(rule);
  return sharing === null ? buckets : new SharedBuckets(buckets, rule, sharing.others, () => clock.now());
}

/** Opens the MCP endpoint. */
export function openMcpEndpoint(dependencies: McpDependencies): McpEndpoint {
  const { random, clock, bounds = streamBounds, sessions = sessionBounds, limit = null, sharing = null } = dependencies;
  const { catalog, metadataUrlOf = null, features: { resources = [] } = {} } = dependencies;
  const { dispatcher, tools, listeners, subscriptions } = openDispatcher(dependencies);
  const buckets = limit === null ? null : bucketsOf(limit, sharing, clock);
  return new McpEndpoint(dispatcher, {
    streams: new StreamSessions({
      dispatcher,
      random,
      bounds,
      listeners,
      clock,
      users: dependencies.users,
      ...(sharing === null ? {} : { others: sharing.others }),
    }),
    sessions: new HttpSessions({ random, bounds: sessions, listeners, clock, sharing }),
    subscriptions,
    lines: new LineTransport({ dispatcher, listeners, limit: buckets, now: () => clock.now() }),
    limit: buckets,
    clock,
    services: catalog.names.keys,
    scopes:
      metadataUrlOf === null ? null : new ScopeChallenges({ tools, resources, names: catalog.names }, metadataUrlOf),
  });
}
