import type { Answered, Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { isRpcId, type RpcParams, type RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RpcId } from '#adapters/mcp/protocol/messages.ts';

/** One client's unanswered requests, which the client can cancel by its own ids. */
export class RequestsUnderWay {
  readonly #dispatcher: Dispatcher;
  readonly #running = new Map<RpcId, Dispatched>();
  readonly #all = new Set<Dispatched>();

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** The number of requests under way. */
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
   * Handles a notification of the client's: `notifications/cancelled` cancels, the others need no action. True when it
   * was about one of these requests.
   */
  notice(method: string, { requestId }: RpcParams): boolean {
    const meant = method === 'notifications/cancelled' && isRpcId(requestId) ? this.#running.get(requestId) : undefined;
    meant?.cancel();
    return meant !== undefined;
  }

  /** Cancels all requests, when the client has disconnected. */
  cancelAll(): void {
    for (const dispatched of this.#all) dispatched.cancel();
  }
}
