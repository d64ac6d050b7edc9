import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Result,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Caller, Dispatched, Dispatcher } from '#adapters/mcp/dispatcher.ts';
import { type RpcId, type RpcRequest, rpcCodes, rpcError } from '#adapters/mcp/json-rpc.ts';
import { serverInstructions, serverName, serverTitle } from '#adapters/mcp/server-facts.ts';
import type { ToolProgress } from '#adapters/mcp/tool.ts';
import { RpcError, type ToolMethods } from '#adapters/mcp/tool-methods.ts';

const validator = new AjvJsonSchemaValidator();

type Pending = Readonly<{ id: RpcId; caller: Caller; answer: (json: string | null) => void }>;

/** Answers through one SDK server that all callers share: ids are our own inside, the clients' outside. */
export async function openSdkDispatcher(methods: ToolMethods, version: string): Promise<Dispatcher> {
  const server = new Server(
    { name: serverName, title: serverTitle, version },
    { capabilities: { tools: {} }, instructions: serverInstructions, jsonSchemaValidator: validator },
  );
  const dispatcher = new SdkDispatcher(methods);
  // The SDK's own handlers would parse each request and each result once more against its schemas.
  server.fallbackRequestHandler = (request, { signal, sendNotification }) =>
    dispatcher.handle(request, signal, (params) => sendNotification({ method: 'notifications/progress', params }));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
  server.onerror = () => dispatcher.refuseCurrent();
  await server.connect(dispatcher);
  return dispatcher;
}

type ProgressParams = { progressToken: RpcId; progress: number; total?: number; message: string };

class SdkDispatcher implements Dispatcher, Transport {
  readonly #methods: ToolMethods;
  readonly #pending = new Map<number, Pending>();
  readonly #listings = new WeakMap<object, string>();
  #lastId = 0;
  #isCurrentRefused = false;
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];

  constructor(methods: ToolMethods) {
    this.#methods = methods;
  }

  dispatch(request: RpcRequest, caller: Caller): Dispatched {
    if (request.method === 'initialize' && !InitializeRequestSchema.safeParse(request).success) {
      return answered(
        request,
        'initialize needs protocolVersion, capabilities, and clientInfo with a name and a version.',
      );
    }
    const id = ++this.#lastId;
    const answer = new Promise<string | null>((resolve) => {
      this.#pending.set(id, { id: request.id, caller, answer: resolve });
    });
    this.#isCurrentRefused = false;
    this.onmessage?.(withoutTask({ ...request, id }));
    // The SDK is silent about what its own schema refuses (a wrong `_meta`), save for `onerror`, called at once.
    if (this.#isCurrentRefused && this.#pending.delete(id)) {
      return answered(request, 'The parameters are not what the protocol asks for.');
    }
    return { answer, cancel: () => this.#cancel(id) };
  }

  /** The SDK could not read the message that is being handed to it. */
  refuseCurrent(): void {
    this.#isCurrentRefused = true;
  }

  /** Carries out what the SDK does not handle itself. */
  async handle(
    request: JSONRPCRequest,
    signal: AbortSignal,
    send: (progress: ProgressParams) => Promise<void>,
  ): Promise<Result> {
    const caller = this.#pending.get(Number(request.id))?.caller;
    if (caller === undefined) throw new RpcError(rpcCodes.internalError, 'Cancelled');
    const params = request.params ?? {};
    if (request.method === 'tools/list') {
      const { result, json } = this.#methods.list(caller.user, params);
      this.#listings.set(result, json);
      return result;
    }
    if (request.method === 'tools/call') {
      const token = caller.notify === undefined ? undefined : params['_meta']?.progressToken;
      const onProgress = token === undefined ? {} : { onProgress: rising(token, send) };
      return { ...(await this.#methods.call(caller.user, params, { signal, ...onProgress })) };
    }
    throw new RpcError(rpcCodes.methodNotFound, `Method not found: ${request.method.slice(0, 200)}`);
  }

  async start(): Promise<void> {}

  /** Takes what the SDK server sends: an answer, or a notification about a request under way. */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if ('method' in message) {
      this.#pending.get(Number(options.relatedRequestId))?.caller.notify?.(JSON.stringify(message));
      return;
    }
    const pending = this.#take(Number(message.id));
    if (pending === null) return;
    if ('error' in message) {
      pending.answer(rpcError(pending.id, message.error.code, message.error.message));
      return;
    }
    pending.answer(this.#answerJson(pending.id, message.result));
  }

  async close(): Promise<void> {
    for (const id of this.#pending.keys()) this.#cancel(id);
    this.onclose?.();
  }

  /** An answer that cannot be written as JSON still has to be an answer. */
  #answerJson(id: RpcId, result: object): string {
    try {
      const json = this.#listings.get(result) ?? JSON.stringify(result);
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`;
    } catch {
      return rpcError(id, rpcCodes.internalError, 'Internal error');
    }
  }

  #cancel(id: number): void {
    const pending = this.#take(id);
    if (pending === null) return;
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    pending.answer(null);
  }

  #take(id: number): Pending | null {
    const pending = this.#pending.get(id) ?? null;
    this.#pending.delete(id);
    return pending;
  }
}

function answered(request: RpcRequest, message: string): Dispatched {
  return { answer: Promise.resolve(rpcError(request.id, rpcCodes.invalidParams, message)), cancel: () => {} };
}

/** A server without tasks ignores the wish for one (protocol 2025-11-25, Tasks); the SDK would refuse it. */
function withoutTask(request: RpcRequest): RpcRequest {
  if (request.params?.['task'] === undefined) return request;
  const { task: _, ...params } = request.params;
  return { ...request, params };
}

/** Tells progress only while it rises, as the protocol asks. What cannot be sent any more is dropped. */
function rising(progressToken: RpcId, send: (progress: ProgressParams) => Promise<void>) {
  let last = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }: ToolProgress): void => {
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) };
    send(params).catch(() => {});
  };
}
