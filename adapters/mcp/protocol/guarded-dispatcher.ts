import type { Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { type RpcRequest, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { isTooDeep, maxDepth } from '#domain/json/depth.ts';

/**
 * What every transport inherits, and every dispatcher beneath: parameters are not nested too deep, and a stop takes nothing
 * new, lets running requests end, and cancels those that take too long.
 */
export class GuardedDispatcher implements Dispatcher {
  readonly #inner: Dispatcher;
  readonly #running = new Set<Dispatched>();
  #isStopping = false;
  #onIdle: () => void = () => {};

  constructor(inner: Dispatcher) {
    this.#inner = inner;
  }

  dispatch(request: RpcRequest, caller: McpCaller): Dispatched {
    const refusal = this.#refusalOf(request);
    if (refusal !== null) return refusal;
    const dispatched = this.#inner.dispatch(request, caller);
    this.#running.add(dispatched);
    const answer = dispatched.answer.finally(() => {
      this.#running.delete(dispatched);
      if (this.#running.size === 0) this.#onIdle();
    });
    return { answer, cancel: () => dispatched.cancel() };
  }

  /** Refuses further requests, and resolves when those under way are answered; cancels what is left after `maxWaitMs`. */
  async stop(maxWaitMs: number): Promise<void> {
    this.#isStopping = true;
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const cut = setTimeout(() => {
      for (const dispatched of this.#running) dispatched.cancel();
    }, maxWaitMs);
    await idle;
    clearTimeout(cut);
    // The answers are still on their way to those who asked.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  #refusalOf({ id, method, params }: RpcRequest): Dispatched | null {
    if (this.#isStopping) return refused(rpcError(id, rpcCodes.refused, stopping), rpcCodes.refused);
    // The arguments of a call are checked with its other inputs, so that their error is the tool's.
    if (method === 'tools/call' || params === undefined || !isTooDeep(params)) return null;
    const text = `The parameters are nested more than ${maxDepth} levels deep.`;
    return refused(rpcError(id, rpcCodes.invalidParams, text), rpcCodes.invalidParams);
  }
}

const stopping = 'The server is stopping; connect again in a moment.';

const refused = (json: string, errorCode: number): Dispatched => ({
  answer: Promise.resolve({ json, errorCode }),
  cancel: () => {},
});
