import { logLevels } from '#adapters/mcp/protocol/client-channel.ts';
import { type AskableClient, silentClient } from '#adapters/mcp/protocol/client-requests.ts';
import type { Answered, Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { InputRequired, RetryingClient } from '#adapters/mcp/protocol/input-required.ts';
import {
  isRpcId,
  RpcError,
  type RpcParams,
  type RpcRequest,
  rpcCodes,
  rpcError,
} from '#adapters/mcp/protocol/json-rpc.ts';
import type { LogLevel, Progress, RpcId } from '#adapters/mcp/protocol/messages.ts';
import { type Method, type MethodContext, type Methods, PreparedResult } from '#adapters/mcp/protocol/method.ts';
import { modernMembers } from '#adapters/mcp/protocol/modern-members.ts';
import type { RequestStates } from '#adapters/mcp/protocol/request-states.ts';
import type { Logger } from '#application/ports/logger.ts';
import { isObject, isTooDeep, maxDepth } from '#domain/json/json-data.ts';
import { DatabaseUnavailable, unavailableText } from '#infrastructure/database/database-unavailable.ts';

/** The dispatcher's dependencies; `version` is the product's. */
type DispatcherDependencies = Readonly<{
  methods: Methods;
  states: RequestStates;
  logger: Logger;
  version: string;
}>;

/**
 * Dispatches requests of both eras through a table of methods. Replaces the SDK's dispatcher, whose parsing of each
 * message costs more than a whole answer.
 */
export class ProtocolDispatcher implements Dispatcher {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #dependencies: DispatcherDependencies;

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies;
    this.#methods = new Map(Object.entries(dependencies.methods));
  }

  dispatch(request: RpcRequest, caller: McpCaller): Dispatched {
    const controller = new AbortController();
    let isDone = false;
    let settle: (answered: Answered | null) => void = () => {};
    const answer = new Promise<Answered | null>((resolve, reject) => {
      settle = (answered) => {
        isDone = true;
        resolve(answered);
      };
      this.#answer(request, caller, controller.signal).then(settle, reject);
    });
    const cancel = () => {
      // An abort is expensive: it creates an error with a stack.
      if (isDone) return;
      controller.abort();
      settle(null);
    };
    return { answer, cancel };
  }

  async #answer(request: RpcRequest, caller: McpCaller, signal: AbortSignal): Promise<Answered> {
    const { id, method: name, params = {} } = request;
    try {
      const method = this.#methods.get(name);
      if (method === undefined || (method.era ?? caller.era) !== caller.era) {
        throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${name.slice(0, 200)}`);
      }
      const result = await method.run(params, this.#contextOf(request, caller, signal));
      return this.#answerOf(id, result, caller, method.isCacheable === true);
    } catch (error) {
      if (error instanceof InputRequired) {
        const { inputRequests, requestState } = error;
        return this.#answerOf(id, { resultType: 'input_required', inputRequests, requestState }, caller, false);
      }
      if (error instanceof RpcError) {
        return { json: rpcError(id, error.code, error.message, error.data), errorCode: error.code };
      }
      if (error instanceof DatabaseUnavailable) {
        this.#dependencies.logger.warn(
          { reason: error.reason, error: error.message, method: name },
          'Database unavailable',
        );
        return { json: rpcError(id, rpcCodes.internalError, unavailableText), errorCode: rpcCodes.internalError };
      }
      if (!signal.aborted)
        this.#dependencies.logger.error({ err: error, method: name }, 'A method failed unexpectedly');
      return { json: rpcError(id, rpcCodes.internalError, 'Internal error'), errorCode: rpcCodes.internalError };
    }
  }

  #answerOf(id: RpcId, result: object, { era }: McpCaller, isCacheable: boolean): Answered {
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
    if (result instanceof PreparedResult) {
      return { json: { head, rest: result[era] }, errorCode: 0 };
    }
    const members =
      era === 'modern' ? { ...modernMembers(this.#dependencies.version, isCacheable), ...result } : result;
    return { json: `${head}${JSON.stringify(members)}}`, errorCode: 0 };
  }

  #contextOf({ id, method, params = {} }: RpcRequest, caller: McpCaller, signal: AbortSignal): MethodContext {
    const { user, era, choice, channel, capabilities, send } = caller;
    const { _meta: meta = {} } = params;
    if (!isObject(meta)) throw new RpcError(rpcCodes.invalidParams, 'The member _meta must be an object.');
    const { progressToken } = meta;
    if (progressToken !== undefined && !isRpcId(progressToken)) {
      throw new RpcError(rpcCodes.invalidParams, 'The progressToken must be a text or a whole number.');
    }
    const wanted = era === 'modern' ? meta['io.modelcontextprotocol/logLevel'] : channel?.logLevel;
    return {
      requestId: id,
      user,
      era,
      choice,
      signal,
      channel,
      capabilities,
      client: this.#clientOf(method, params, caller, signal),
      send,
      log: send === null ? () => {} : logTo(send, wanted),
      ...(send === null || progressToken === undefined ? {} : { onProgress: rising(progressToken, send) }),
    };
  }

  #clientOf(method: string, params: RpcParams, caller: McpCaller, signal: AbortSignal): AskableClient {
    const { user, capabilities, channel, send } = caller;
    if (capabilities !== null) {
      return new RetryingClient(capabilities, this.#dependencies.states, { userId: user.id, method, params });
    }
    return channel === null || send === null ? silentClient : channel.askThrough(send, signal);
  }
}

/** Sends progress only while it increases, as the protocol requires. */
function rising(progressToken: RpcId, send: (json: string) => void) {
  let last = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }: Progress): void => {
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) };
    send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  };
}

function logTo(send: (json: string) => void, wanted: unknown) {
  const names: readonly unknown[] = logLevels;
  const least = names.indexOf(wanted);
  return (level: LogLevel, data: unknown): void => {
    if (least < 0 || logLevels.indexOf(level) < least) return;
    const params = { level, logger: 'portolan', data };
    send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params }));
  };
}

/**
 * Guards any dispatcher, on every transport: rejects deeply nested parameters, and on stop rejects new requests, lets
 * those in flight finish, and cancels those that take too long.
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
    const rejection = this.#rejectionOf(request);
    if (rejection !== null) return rejection;
    const dispatched = this.#inner.dispatch(request, caller);
    this.#running.add(dispatched);
    return { answer: this.#endOf(dispatched), cancel: dispatched.cancel };
  }

  async #endOf(dispatched: Dispatched): Promise<Answered | null> {
    try {
      return await dispatched.answer;
    } finally {
      this.#running.delete(dispatched);
      if (this.#running.size === 0) this.#onIdle();
    }
  }

  /** Rejects new requests, and resolves when those in flight are answered; cancels the rest after `maxWaitMs`. */
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
    // The answers are still on their way to the callers.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  #rejectionOf({ id, method, params }: RpcRequest): Dispatched | null {
    if (this.#isStopping) return refused(rpcError(id, rpcCodes.refused, stopping), rpcCodes.refused);
    // The arguments of a call are validated with its other inputs, so that the error is the tool's.
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
