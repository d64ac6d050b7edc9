import type { Caller, Dispatched, Dispatcher } from '#adapters/mcp/dispatcher.ts';
import { type RpcId, type RpcRequest, rpcCodes, rpcError } from '#adapters/mcp/json-rpc.ts';
import { RpcError, type ToolMethods } from '#adapters/mcp/tool-methods.ts';

/**
 * Answers the usual `tools/list` and `tools/call` at once and leaves the rest (negotiation, pings, calls with `_meta`) to `rest`,
 * the SDK's server: its parsing of each message costs more than a whole answer does here.
 */
export class DirectDispatcher implements Dispatcher {
  readonly #methods: ToolMethods;
  readonly #rest: Dispatcher;

  constructor(methods: ToolMethods, rest: Dispatcher) {
    this.#methods = methods;
    this.#rest = rest;
  }

  dispatch(request: RpcRequest, caller: Caller): Dispatched {
    const { id, method, params = {} } = request;
    if (params['_meta'] !== undefined || (method !== 'tools/call' && method !== 'tools/list')) {
      return this.#rest.dispatch(request, caller);
    }
    const controller = new AbortController();
    let isDone = false;
    const answer = async () => {
      const json = await this.#answer(request, caller, controller.signal);
      isDone = true;
      return controller.signal.aborted ? null : (json ?? rpcError(id, rpcCodes.internalError, 'Internal error'));
    };
    const cancel = () => {
      // An abort is dear: it makes an error with a stack.
      if (!isDone) controller.abort();
    };
    return { answer: answer(), cancel };
  }

  async #answer(
    { id, method, params = {} }: RpcRequest,
    { user }: Caller,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      if (method === 'tools/list') return resultJson(id, this.#methods.list(user, params).json);
      return resultJson(id, JSON.stringify(await this.#methods.call(user, params, { signal })));
    } catch (error) {
      return error instanceof RpcError ? rpcError(id, error.code, error.message) : null;
    }
  }
}

function resultJson(id: RpcId, json: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
}
