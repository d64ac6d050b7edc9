import type { EventLine, MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import { LegacyListener } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { type Incoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { maxRequestsInFlight } from '#adapters/mcp/protocol/message-bounds.ts';
import { textOf } from '#adapters/mcp/protocol/messages.ts';
import { RequestsInFlight } from '#adapters/mcp/protocol/requests-in-flight.ts';
import { choiceQuery, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { answer, readLegacy } from '#adapters/mcp/transports/exchange.ts';
import { type ForwardedPost, ForwardedPosts } from '#adapters/mcp/transports/forwarded-posts.ts';
import type { Clock } from '#application/ports/clock.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import type { Random } from '#application/ports/random.ts';
import type { Users } from '#application/ports/users.ts';
import { narrowedTo } from '#domain/users/rights.ts';
import { guest, guestUserId, type User } from '#domain/users/user.ts';

/** The maximum number of open streams, per user and in total, and of requests in flight on a stream. */
export type StreamBounds = Readonly<{ perUser: number; all: number; requests: number }>;

/** Limits of this server; the protocol sets none. */
export const streamBounds: StreamBounds = { perUser: 16, all: 10_000, requests: maxRequestsInFlight };

type Session = Readonly<{
  userId: number;
  line: EventLine;
  inFlight: RequestsInFlight;
  channel: ClientChannel;
  choice: ToolChoice;
}>;

/** The streams' dependencies; each stream joins the `listeners`. */
type StreamSessionsDependencies = Readonly<{
  dispatcher: Dispatcher;
  random: Random;
  bounds: StreamBounds;
  listeners: Listeners;
  clock: Clock;
  users: Pick<Users, 'find'>;
  /** The other servers on the database, which may have a message's stream open; none by default. */
  others?: OtherServers;
}>;

/**
 * Serves the older transport (protocol 2024-11-05, HTTP with SSE): a stream is a session, and belongs to the user who
 * opened it.
 */
export class StreamSessions {
  readonly #dispatcher: Dispatcher;
  readonly #random: Random;
  readonly #bounds: StreamBounds;
  readonly #listeners: Listeners;
  readonly #clock: Clock;
  readonly #users: Pick<Users, 'find'>;
  readonly #sessions = new Map<string, Session>();
  /** How many streams each user has open. */
  readonly #openOf = new Map<number, number>();
  readonly #forwarded: ForwardedPosts;
  #isClosed = false;

  constructor(dependencies: StreamSessionsDependencies) {
    const { dispatcher, random, bounds, listeners, clock, users, others = noOtherServers } = dependencies;
    this.#dispatcher = dispatcher;
    this.#random = random;
    this.#bounds = bounds;
    this.#listeners = listeners;
    this.#clock = clock;
    this.#users = users;
    this.#forwarded = new ForwardedPosts(others, (post) => this.#takeForwarded(post));
  }

  /** Opens a stream and sends the client the address to post to; null when it is open, else the rejection. */
  open(user: User, choice: ToolChoice, openLine: () => EventLine): MessageAnswer | null {
    const rejection = this.#rejection(user);
    if (rejection !== null) return rejection;
    const id = this.#forwarded.idOf(this.#random.token(24));
    const line = openLine();
    const inFlight = new RequestsInFlight(this.#dispatcher);
    const channel = new ClientChannel();
    this.#sessions.set(id, { userId: user.id, line, inFlight, channel, choice });
    this.#openOf.set(user.id, this.#ownOf(user.id) + 1);
    const owner = { user, choice, since: this.#clock.now() };
    const remove = this.#listeners.add(new LegacyListener(owner, channel, line));
    line.onClose(() => {
      this.#sessions.delete(id);
      this.#closed(user.id);
      remove();
      inFlight.cancelAll();
    });
    line.send('endpoint', `/message?sessionId=${id}${choiceQuery(choice)}`);
    return null;
  }

  /** Accepts a message for a stream, here or on another server, with 202; the answer is sent on the stream. */
  async post(id: string, exchange: MessageExchange, value: unknown): Promise<MessageAnswer> {
    if (this.#forwarded.isElsewhere(id)) return (await this.#forwarded.send(id, exchange, value)) ?? this.notFound;
    return this.#take(id, exchange, value);
  }

  /** Takes a message with the rights that its sender's user still has. */
  async #takeForwarded({ stream, user: sender, version, value }: ForwardedPost): Promise<MessageAnswer> {
    const stored = sender.id === guestUserId ? guest : await this.#users.find(sender.id);
    const user = stored === null ? null : narrowedTo(sender, stored);
    const headers = version === null ? {} : { 'mcp-protocol-version': version };
    return user === null ? this.notFound : this.#take(stream, { user, headers }, value);
  }

  #take(id: string, exchange: Pick<MessageExchange, 'user' | 'headers'>, value: unknown): MessageAnswer {
    const session = this.#sessions.get(id);
    if (session === undefined || session.userId !== exchange.user.id) return this.notFound;
    const body = readLegacy(exchange, value);
    if (!body.ok) return body.failure;
    const { messages } = body.value;
    const count = messages.filter(({ kind }) => kind === 'request').length;
    if (session.inFlight.count + count > this.#bounds.requests) return tooManyRequests;
    for (const message of messages) void this.#handle(session, message, exchange.user);
    return answer(202, null);
  }

  /** The response for a session that has ended, or is another user's. */
  readonly notFound: MessageAnswer = answer(
    404,
    rpcError(
      null,
      rpcCodes.sessionNotFound,
      'Session not found: connect again with GET /sse, or POST to /message alone.',
    ),
  );

  /** Whether the session exists and is the user's, as far as this server knows. */
  has(id: string, user: User): boolean {
    return this.#forwarded.isElsewhere(id) || this.#sessions.get(id)?.userId === user.id;
  }

  /** Accepts no new streams. */
  drain(): void {
    this.#isClosed = true;
  }

  /** Ends all streams after this turn's answers have been sent on them, and accepts no new ones. */
  close(): void {
    this.drain();
    for (const { line, inFlight } of this.#sessions.values()) {
      inFlight.cancelAll();
      setImmediate(() => setImmediate(() => line.end()));
    }
    this.#sessions.clear();
  }

  async #handle({ line, inFlight, channel, choice }: Session, message: Incoming, user: User): Promise<void> {
    switch (message.kind) {
      case 'request': {
        const send = (json: string) => void line.send('message', json);
        const caller = { user, era: 'legacy', choice, channel, capabilities: null, send } as const;
        const answered = await inFlight.start(message.request, caller);
        // Acknowledge the POST first: a client that has its answer may close at once, and take a pending POST as
        // aborted.
        if (answered !== null) setImmediate(() => send(textOf(answered.json)));
        return;
      }
      case 'notification':
        inFlight.notice(message.method, message.params);
        return;
      case 'invalid':
        line.send('message', message.error);
        return;
      case 'response':
        channel.settle(message.response);
    }
  }

  #ownOf(userId: number): number {
    return this.#openOf.get(userId) ?? 0;
  }

  #closed(userId: number): void {
    const left = this.#ownOf(userId) - 1;
    if (left > 0) this.#openOf.set(userId, left);
    else this.#openOf.delete(userId);
  }

  #rejection(user: User): MessageAnswer | null {
    if (this.#isClosed) return refused(503, 'The server is shutting down; connect again in a moment.');
    if (this.#sessions.size >= this.#bounds.all) return refused(503, 'Too many streams are open; try again later.');
    const own = this.#ownOf(user.id);
    return own >= this.#bounds.perUser
      ? refused(429, `You have ${own} streams open, and may not have more; close one first.`)
      : null;
  }
}

/** When to retry a request that was refused for its number, in s. */
const retryAfterS = 15;

function refused(status: 429 | 503, message: string): MessageAnswer {
  const reason = status === 429 ? 'rate_limited' : 'unavailable';
  const data = { reason, retryAfterMs: retryAfterS * 1000 };
  return { status, json: rpcError(null, rpcCodes.refused, message, data), retryAfterS };
}

const tooManyRequests = refused(429, 'Too many requests of this session are in flight; wait for their answers.');
