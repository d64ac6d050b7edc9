import { isObject, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { answer, type MessageAnswer } from '#adapters/mcp/transports/exchange.ts';
import { missingScope, scopeChallenge } from '#domain/oauth/scope-challenge.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { permissionFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** The tools of the catalogue mode that run another one, which they are given as `tool`. */
const runners: ReadonlySet<unknown> = new Set(['run_read_tool', 'run_write_tool']);

/**
 * Answers a call of a tool that the caller's token withholds with 403 and the scope that is missing, so that the client can ask
 * its user for it (MCP authorization, Scope Challenge Handling).
 */
export class ScopeChallenges {
  readonly #tools: ToolRegistry;
  readonly #names: ServiceNames;
  readonly #metadataUrl: string;

  /** `metadataUrl` is the address of this resource's metadata. */
  constructor(tools: ToolRegistry, names: ServiceNames, metadataUrl: string) {
    this.#tools = tools;
    this.#names = names;
    this.#metadataUrl = metadataUrl;
  }

  /** The answer to a message that calls such a tool; null for every other message, and for batches. */
  to(user: User, value: unknown): MessageAnswer | null {
    if (user.withheld === undefined || !isObject(value) || value['method'] !== 'tools/call') return null;
    const message = readIncoming(value);
    if (message.kind !== 'request') return null;
    const operation = this.#tools.tools.get(toolNamed(message.request.params ?? {}))?.operation;
    if (operation === undefined) return null;
    const { service, effect } = operation;
    const isReading = effect === 'read';
    const scope = missingScope(user, { service, isReading }, this.#names.keys);
    if (scope === null) return null;
    const failure = permissionFailure(user, { service, isReading, names: this.#names });
    const text = failure?.message ?? 'This app was not given enough.';
    const error = rpcError(message.request.id, rpcCodes.refused, text, { reason: 'forbidden', scope });
    return { ...answer(403, error), challenge: scopeChallenge(scope, this.#metadataUrl) };
  }
}

function toolNamed({ name, arguments: given }: Readonly<Record<string, unknown>>): string {
  const called = runners.has(name) && isObject(given) ? given['tool'] : name;
  return typeof called === 'string' ? called : '';
}
