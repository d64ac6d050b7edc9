import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { Answered, Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import type { RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';

/** Creates the SDK server for one client; its handlers find the request's user in `extra.authInfo.extra`. */
export type MakeServer = () => Server;

/**
 * Replaces the dispatcher by the MCP SDK's server. The transports still limit messages, authenticate users and stop in order; each
 * client has its own SDK server, which answers its messages.
 */
export class SdkDispatcher implements Dispatcher {
  readonly #makeServer: MakeServer;
  readonly #bridges = new WeakMap<ClientChannel, Bridge>();

  constructor(makeServer: MakeServer) {
    this.#makeServer = makeServer;
  }

  dispatch(request: RpcRequest, caller: McpCaller): Dispatched {
    const { channel } = caller;
    const known = channel === null ? undefined : this.#bridges.get(channel);
    const bridge = known ?? new Bridge(this.#makeServer());
    if (channel !== null) {
      this.#bridges.set(channel, bridge);
      if (request.method === 'initialize') channel.isInitialized = true;
    }
    return bridge.dispatch(request, caller);
  }
}

type Asked = Readonly<{ request: RpcRequest; caller: McpCaller; answer(answered: Answered | null): void }>;

/** An SDK transport for the requests of one client. It numbers requests itself, since a client may reuse ids. */
class Bridge implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #asked = new Map<RequestId, Asked>();
  readonly #connected: Promise<void>;
  #last = 0;

  constructor(server: Server) {
    this.#connected = server.connect(this);
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  dispatch(request: RpcRequest, caller: McpCaller): Dispatched {
    this.#last += 1;
    const id = this.#last;
    const answer = new Promise<Answered | null>((resolve) => {
      this.#asked.set(id, { request, caller, answer: resolve });
    });
    const authInfo = { token: '', clientId: '', scopes: [], extra: { user: caller.user } };
    void this.#connected.then(() => this.onmessage?.({ ...request, id }, { authInfo }));
    return { answer, cancel: () => this.#cancel(id) };
  }

  /** Receives what the SDK's server sends: an answer, or a notification about a request. */
  async send(message: JSONRPCMessage, options?: Readonly<{ relatedRequestId?: RequestId }>): Promise<void> {
    if (!('id' in message) || 'method' in message) {
      this.#asked.get(options?.relatedRequestId ?? '')?.caller.send?.(JSON.stringify(message));
      return;
    }
    const asked = this.#asked.get(message.id ?? '');
    if (asked === undefined) return;
    this.#asked.delete(message.id ?? '');
    const errorCode = 'error' in message ? message.error.code : 0;
    asked.answer({ json: JSON.stringify({ ...message, id: asked.request.id }), errorCode });
  }

  #cancel(id: number): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    asked.answer(null);
  }
}
