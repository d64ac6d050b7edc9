import { isObject, type RpcParams, rpcCodes } from '#adapters/mcp/json-rpc.ts';
import type { ToolCall, ToolResult } from '#adapters/mcp/tool.ts';
import type { ToolListing, ToolRegistry } from '#adapters/mcp/tool-registry.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { User } from '#domain/users/user.ts';

/** Thrown to answer a request with a JSON-RPC error; the message goes to the client as it is. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The methods `tools/list` and `tools/call`, free of any transport. */
export class ToolMethods {
  readonly #registry: ToolRegistry;
  readonly #logger: Logger;

  constructor(registry: ToolRegistry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
  }

  /** The whole list in one page. Throws `RpcError` for a cursor: none was ever handed out. */
  list(user: User, params: RpcParams): ToolListing {
    const { cursor } = params;
    if (cursor !== undefined && cursor !== null && cursor !== '') {
      throw new RpcError(rpcCodes.invalidParams, 'Unknown cursor: the tool list has one page.');
    }
    return this.#registry.listFor(user);
  }

  /** Runs a tool. Throws `RpcError` for an unknown tool or arguments that are no object; what broke is logged here, once. */
  async call(user: User, params: RpcParams, call: ToolCall): Promise<ToolResult> {
    const { name, arguments: args } = params;
    if (typeof name !== 'string') throw new RpcError(rpcCodes.invalidParams, 'The parameter name must be a text.');
    const tool = this.#registry.find(name);
    if (tool === null) throw new RpcError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}`);
    const given = args ?? {};
    if (!isObject(given)) throw new RpcError(rpcCodes.invalidParams, 'The parameter arguments must be an object.');
    try {
      return await tool.run(user, given, call);
    } catch (error) {
      if (!call.signal.aborted) this.#logger.error({ err: error, tool: name, userId: user.id }, 'A tool broke');
      throw new RpcError(rpcCodes.internalError, 'Internal error');
    }
  }
}
