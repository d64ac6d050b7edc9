import type { MessageAnswer } from '#adapters/contracts/mcp-exchange.ts';
import { type RpcParams, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { answer } from '#adapters/mcp/transports/exchange.ts';
import { isObject } from '#domain/json/json-data.ts';
import { missingScope, type Needed, scopeChallenge } from '#domain/oauth/scope-challenge.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { permissionFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The tools that run another tool, and the argument that names it. */
const runners: ReadonlyMap<unknown, string> = new Map([
  ['run_read_tool', 'tool'],
  ['run_write_tool', 'tool'],
  ['workspace_bulk', 'operation'],
]);

/** The methods that read a resource by its `uri`. */
const readers: ReadonlySet<unknown> = new Set(['resources/read', 'resources/subscribe']);

/** What scopes apply to: the tools and resources of this server, and the names of its services. */
type ScopedParts = Readonly<{ tools: () => ToolRegistry; resources: readonly ResourceSource[]; names: ServiceNames }>;

/**
 * Answers 403 with the missing scope when the caller's token does not permit a tool call or resource read, so that the
 * client can ask its user for it (MCP authorization, Scope Challenge Handling).
 */
export class ScopeChallenges {
  readonly #parts: ScopedParts;
  readonly #metadataUrlOf: (path: string) => string;

  /** `metadataUrlOf` returns the address of the metadata of the resource at a path. */
  constructor(parts: ScopedParts, metadataUrlOf: (path: string) => string) {
    this.#parts = parts;
    this.#metadataUrlOf = metadataUrlOf;
  }

  /**
   * The response when the message, posted to `path`, needs a missing scope; null for every other message, and for
   * batches.
   */
  to(user: User, value: unknown, path: string): MessageAnswer | null {
    if (user.withheld === undefined || !isObject(value)) return null;
    const { method } = value;
    if (method !== 'tools/call' && !readers.has(method)) return null;
    const message = readIncoming(value);
    if (message.kind !== 'request') return null;
    const { id, params = {} } = message.request;
    const needed = method === 'tools/call' ? this.#byTool(params) : this.#byResource(params);
    const { names } = this.#parts;
    const scope = needed === null ? null : missingScope(user, needed, names.keys);
    if (needed === null || scope === null) return null;
    const failure = permissionFailure(user, { ...needed, names });
    const text = failure?.message ?? 'This app was not granted the required scope.';
    const error = rpcError(id, rpcCodes.refused, text, { reason: 'forbidden', scope });
    return { ...answer(403, error), challenge: scopeChallenge(scope, this.#metadataUrlOf(path)) };
  }

  #byTool({ name, arguments: given }: RpcParams): Needed | null {
    const argument = runners.get(name);
    const called = argument !== undefined && isObject(given) ? given[argument] : name;
    const operation = typeof called === 'string' ? this.#parts.tools().tools.get(called)?.operation : undefined;
    return operation === undefined ? null : { service: operation.service, isReading: operation.effect === 'read' };
  }

  #byResource({ uri }: RpcParams): Needed | null {
    if (typeof uri !== 'string') return null;
    const [service] = this.#parts.resources.flatMap((source) => source.serviceOf?.(uri) ?? []);
    return service === undefined ? null : { service, isReading: true };
  }
}
