import { LegacyListener } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { messageCost, type RpcRequest, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { maxMessageBytes, maxRequestsInFlight } from '#adapters/mcp/protocol/message-bounds.ts';
import { type Json, textOf } from '#adapters/mcp/protocol/messages.ts';
import { RequestsInFlight } from '#adapters/mcp/protocol/requests-in-flight.ts';
import { everyTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { User } from '#domain/users/user.ts';
import { unavailableText } from '#infrastructure/database/database-unavailable.ts';
import type { TokenBuckets } from '#infrastructure/limits/token-buckets.ts';

/** The client of a connection that carries one JSON message at a time, both ways. */
export type LineClient = Readonly<{
  /**
   * The user's current record; null when they may no longer be served. Called for each request; rejects while it cannot
   * be determined.
   */
  current(): Promise<User | null>;
  /** When they signed in, in Unix ms; null when they need no session. */
  since: number | null;
  /** The tools chosen; all by default. */
  choice?: ToolChoice;
  /** Sends a message: one line of JSON without its line end. */
  send(json: string): void;
  /** Closes the connection after everything that was sent. */
  end(): void;
}>;

/** An open connection to a client. */
export interface ClientLine {
  /**
   * Accepts a message, or null for one that was too long to read. Resolves when it has been accepted, not when it is
   * answered.
   */
  receive(message: string | null): Promise<void>;
  /** Accepts nothing more and cancels requests in flight: the client has disconnected, or the connection is cut. */
  close(): void;
}

/** What all connections share; without `limit` messages are not rate-limited. */
type LineTransportDependencies = Readonly<{
  dispatcher: Dispatcher;
  listeners: Listeners;
  limit?: Pick<TokenBuckets, 'take'> | null;
  /** Now, in Unix ms. */
  now: () => number;
}>;

/**
 * Serves clients over line-based connections of any kind: standard input and output (protocol, stdio), a socket, a
 * WebSocket. Size, depth and number of messages are bounded here, and the user's rights are read again for each
 * request.
 */
export class LineTransport {
  readonly #dependencies: LineTransportDependencies;
  readonly #lines = new Map<ClientLine, LineClient>();
  #isClosed = false;

  constructor(dependencies: LineTransportDependencies) {
    this.#dependencies = dependencies;
  }

  /** Opens a connection for the user, who has been authenticated. */
  open(user: User, client: LineClient): ClientLine {
    const line = new OpenLine(this.#dependencies, user, client, () => this.#lines.delete(line));
    if (this.#isClosed) {
      line.close();
      client.end();
    } else this.#lines.set(line, client);
    return line;
  }

  /** Serves one client until its input ends. */
  async serve(user: User, client: LineClient, lines: AsyncIterable<string | null>): Promise<void> {
    const line = this.open(user, client);
    try {
      for await (const message of lines) await line.receive(message);
    } finally {
      line.close();
    }
  }

  /** Closes all connections, and any opened later at once. */
  close(): void {
    this.#isClosed = true;
    for (const [line, client] of this.#lines) {
      line.close();
      client.end();
    }
  }
}

class OpenLine implements ClientLine {
  readonly #dependencies: LineTransportDependencies;
  readonly #client: LineClient;
  readonly #channel = new ClientChannel();
  readonly #inFlight: RequestsInFlight;
  readonly #onClose: () => void;
  #turn = Promise.resolve();
  #isClosed = false;

  constructor(dependencies: LineTransportDependencies, user: User, client: LineClient, onClose: () => void) {
    const { choice = everyTool, since } = client;
    this.#dependencies = dependencies;
    this.#client = client;
    this.#inFlight = new RequestsInFlight(dependencies.dispatcher);
    const line = { send: (_: string, json: string) => this.#send(json), end: () => client.end() };
    const remove = dependencies.listeners.add(new LegacyListener({ user, choice, since }, this.#channel, line));
    this.#onClose = () => {
      remove();
      onClose();
    };
  }

  receive(message: string | null): Promise<void> {
    // One after the other: a cancellation must find the request sent before it.
    this.#turn = this.#turn.then(() => this.#take(message));
    return this.#turn;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#inFlight.cancelAll();
    this.#onClose();
  }

  async #take(text: string | null): Promise<void> {
    if (this.#isClosed || text?.trim() === '') return;
    if (text === null || Buffer.byteLength(text) > maxMessageBytes) {
      this.#send(rpcError(null, rpcCodes.invalidRequest, `A message may have ${maxMessageBytes} bytes.`));
      return;
    }
    const parsed = parse(text);
    if (parsed === null) {
      this.#send(rpcError(null, rpcCodes.parseError, 'Parse error: the line is not JSON.'));
      return;
    }
    const message = readIncoming(parsed.value);
    if (message.kind === 'request') await this.#start(message.request);
    else if (message.kind === 'notification') this.#inFlight.notice(message.method, message.params);
    else if (message.kind === 'response') this.#channel.settle(message.response);
    else this.#send(message.error);
  }

  async #start(request: RpcRequest): Promise<void> {
    const user = await this.#client.current().catch(() => 'unknown' as const);
    if (user === 'unknown') {
      this.#send(rpcError(request.id, rpcCodes.internalError, unavailableText));
      return;
    }
    const rejection = user === null ? revoked : this.#busyRejection(user, request);
    if (user === null || rejection !== null) {
      this.#send(rpcError(request.id, rpcCodes.refused, rejection ?? revoked));
      return;
    }
    void this.#answer(request, user);
  }

  #busyRejection({ id }: User, request: RpcRequest): string | null {
    if (this.#inFlight.count >= maxRequestsInFlight) return tooManyInFlight;
    const { limit = null, now } = this.#dependencies;
    const waitS = limit?.take(id, messageCost(request), now()) ?? 0;
    return waitS > 0 ? `Too many messages; try again in ${waitS} seconds.` : null;
  }

  async #answer(request: RpcRequest, user: User): Promise<void> {
    const answered = await this.#inFlight.start(request, this.#callerOf(request, user));
    if (answered !== null) this.#send(answered.json);
  }

  /**
   * The caller of a request. One with an envelope is of the modern era, and declares its client's capabilities itself.
   */
  #callerOf({ params = {} }: RpcRequest, user: User): McpCaller {
    const { choice = everyTool } = this.#client;
    const send = (json: string): void => this.#send(json);
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const capabilities = meta[capabilitiesMember];
    return isObject(capabilities)
      ? { user, era: 'modern', choice, channel: null, capabilities, send }
      : { user, era: 'legacy', choice, channel: this.#channel, capabilities: null, send };
  }

  #send(json: Json): void {
    if (!this.#isClosed) this.#client.send(textOf(json));
  }
}

const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities';
const revoked = 'The sign-in of this connection is no longer valid. Sign in again and reconnect.';
const tooManyInFlight = `${maxRequestsInFlight} requests on this connection are in flight; wait for their answers.`;

function parse(line: string): Readonly<{ value: unknown }> | null {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return null;
  }
}
