import type { Answered, Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { isRpcId, type RpcParams, type RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RpcId } from '#adapters/mcp/protocol/messages.ts';

/** One client's requests in flight, which it can cancel by its own ids. */
export class RequestsInFlight {
  readonly #dispatcher: Dispatcher;
  readonly #running = new Map<RpcId, Dispatched>();
  readonly #all = new Set<Dispatched>();

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** The number of requests in flight. */
  get count(): number {
    return this.#all.size;
  }

  /** Starts a request and returns its answer, or null when it was cancelled. */
  async start(request: RpcRequest, caller: McpCaller): Promise<Answered | null> {
    const dispatched = this.#dispatcher.dispatch(request, caller);
    this.#running.set(request.id, dispatched);
    this.#all.add(dispatched);
    const answered = await dispatched.answer;
    this.#all.delete(dispatched);
    if (this.#running.get(request.id) === dispatched) this.#running.delete(request.id);
    return answered;
  }

  /**
   * Handles a notification from the client: `notifications/cancelled` cancels a request, others are ignored. True when
   * it concerned one of these requests.
   */
  notice(method: string, { requestId }: RpcParams): boolean {
    const meant = method === 'notifications/cancelled' && isRpcId(requestId) ? this.#running.get(requestId) : undefined;
    meant?.cancel();
    return meant !== undefined;
  }

  /** Cancels all requests, since the client has disconnected. */
  cancelAll(): void {
    for (const dispatched of this.#all) dispatched.cancel();
  }
}
