import type {
  EventLine,
  MessageAnswer,
  MessageEndpoint,
  MessageExchange,
  StreamRequest,
} from '#adapters/contracts/mcp-exchange.ts';
import type { Subscriptions } from '#adapters/mcp/changes/subscriptions.ts';
import { messageCost, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { maxMessageBytes } from '#adapters/mcp/protocol/message-bounds.ts';
import type { GuardedDispatcher } from '#adapters/mcp/protocol/protocol-dispatcher.ts';
import { readChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { answer, headerText, isModernRequest, readJson } from '#adapters/mcp/transports/exchange.ts';
import type { HttpSessions } from '#adapters/mcp/transports/http-sessions.ts';
import type { LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { modern } from '#adapters/mcp/transports/modern.ts';
import type { ScopeChallenges } from '#adapters/mcp/transports/scope-challenges.ts';
import type { StreamSessions } from '#adapters/mcp/transports/stream-sessions.ts';
import { Streamable } from '#adapters/mcp/transports/streamable.ts';
import type { Clock } from '#application/ports/clock.ts';
import { errorsText, type InputError } from '#domain/operations/input-error.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenBuckets } from '#infrastructure/limits/token-buckets.ts';

/** The endpoint's transports, and the rate limit of each user's messages; null for none. */
type EndpointDependencies = Readonly<{
  streams: StreamSessions;
  sessions: HttpSessions;
  subscriptions: Subscriptions;
  lines: LineTransport;
  limit: Pick<TokenBuckets, 'take'> | null;
  clock: Clock;
  /** The services of this server. */
  services: readonly ServiceKey[];
  /** Answers calls that lack a scope with 403; null where they are answered as tool results. */
  scopes: ScopeChallenges | null;
}>;

/** Detects the transport of each call on `/message`, by whatever name, by its shape, and passes it on. */
export class McpEndpoint implements MessageEndpoint {
  /** Answers the requests, whatever the transport. */
  readonly dispatcher: GuardedDispatcher;
  /** Serves clients over line-based connections, besides HTTP. */
  readonly lines: LineTransport;
  /** The maximum size of a message in bytes. */
  readonly maxMessageBytes = maxMessageBytes;
  readonly #streams: StreamSessions;
  readonly #sessions: HttpSessions;
  readonly #subscriptions: Subscriptions;
  readonly #streamable: Streamable;
  readonly #limit: Pick<TokenBuckets, 'take'> | null;
  readonly #clock: Clock;
  readonly #services: readonly ServiceKey[];
  readonly #scopes: ScopeChallenges | null;

  constructor(
    dispatcher: GuardedDispatcher,
    { streams, sessions, subscriptions, lines, limit, clock, services, scopes }: EndpointDependencies,
  ) {
    this.lines = lines;
    this.#limit = limit;
    this.#clock = clock;
    this.#services = services;
    this.#scopes = scopes;
    this.dispatcher = dispatcher;
    this.#streams = streams;
    this.#sessions = sessions;
    this.#subscriptions = subscriptions;
    this.#streamable = new Streamable(dispatcher, sessions);
  }

  /** Handles a posted message; null when the answer was sent as a stream, or the client no longer waits. */
  async message(exchange: MessageExchange): Promise<MessageAnswer | null> {
    const { sessionId } = exchange.query;
    if (sessionId !== undefined && !this.#streams.has(String(sessionId), exchange.user)) return this.#streams.notFound;
    const json = readJson(exchange);
    if (!json.ok) return json.failure;
    const waitS = this.#limit?.take(exchange.user.id, messageCost(json.value), this.#clock.now()) ?? 0;
    if (waitS > 0) return tooMany(json.value, waitS);
    const challenge = this.#scopes?.to(exchange.user, json.value, exchange.path) ?? null;
    if (challenge !== null) return challenge;
    if (sessionId !== undefined) return this.#streams.post(String(sessionId), exchange, json.value);
    const choice = readChoice(exchange.query, exchange.headers, this.#services);
    if (!choice.ok) return unknownChoice(json.value, choice.failure);
    const given = { value: json.value, choice: choice.value };
    return isModernRequest(exchange, json.value)
      ? modern({ dispatcher: this.dispatcher, subscriptions: this.#subscriptions }, exchange, given)
      : this.#streamable.post(exchange, given);
  }

  /** Opens a stream of the older transport; null when it is open, else the rejection. */
  openStream(visit: StreamRequest, openLine: () => EventLine): MessageAnswer | null {
    const choice = readChoice(visit.query, visit.headers, this.#services);
    return choice.ok ? this.#streams.open(visit.user, choice.value, openLine) : unknownChoice(null, choice.failure);
  }

  /**
   * Opens the stream of a Streamable HTTP session, for messages that belong to no request; null when it is open, else
   * the rejection.
   */
  async openSessionStream(
    { user, headers, query }: StreamRequest,
    openLine: () => EventLine,
  ): Promise<MessageAnswer | null> {
    const id = headerText(headers['mcp-session-id']);
    if (id === undefined) return { ...answer(405, noSession), allow: 'POST' };
    const session = await this.#sessions.find(id, user.id);
    if (session === null) return this.#sessions.notFound;
    const choice = readChoice(query, headers, this.#services);
    if (!choice.ok) return unknownChoice(null, choice.failure);
    this.#sessions.openLine(session, { user, choice: choice.value }, openLine);
    return null;
  }

  /** Ends a session of Streamable HTTP. */
  async endSession({ user, headers }: StreamRequest): Promise<MessageAnswer> {
    const id = headerText(headers['mcp-session-id']);
    if (id === undefined) return { ...answer(405, noSession), allow: 'POST' };
    return (await this.#sessions.end(id, user.id)) ? answer(204, null) : this.#sessions.notFound;
  }

  /**
   * Rejects new requests, lets running calls finish for at most `maxWaitMs`, and ends all sessions, streams and
   * connections after their answers.
   */
  async stop(maxWaitMs: number): Promise<void> {
    this.#subscriptions.close();
    this.#streams.drain();
    await this.dispatcher.stop(maxWaitMs);
    this.close();
  }

  /** Ends sessions, streams and connections at once; requests in flight on `/message` are still answered. */
  close(): void {
    this.#subscriptions.close();
    this.#streams.close();
    this.#sessions.close();
    this.lines.close();
  }
}

/** The 429 rejection of too many messages, under the request's own id. */
function tooMany(value: unknown, retryAfterS: number): MessageAnswer {
  const text = `Too many messages; try again in ${retryAfterS} seconds.`;
  const data = { reason: 'rate_limited', retryAfterMs: retryAfterS * 1000, retryAfterS };
  return { ...answer(429, rpcError(idOf(value), rpcCodes.refused, text, data)), retryAfterS };
}

const noSession = rpcError(null, rpcCodes.refused, 'Method not allowed without Mcp-Session-Id: use POST.');

/** The rejection of a choice that names something unknown, under the request's own id. */
function unknownChoice(value: unknown, errors: readonly InputError[]): MessageAnswer {
  const text = `Unknown choice of tools. ${errorsText(errors)}`;
  return answer(400, rpcError(idOf(value), rpcCodes.refused, text, { reason: 'invalid_input', details: errors }));
}

function idOf(value: unknown) {
  const message = readIncoming(value);
  return message.kind === 'request' ? message.request.id : null;
}
