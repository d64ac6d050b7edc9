import { LRUCache } from 'lru-cache';
import { LegacyListener, type Listener, type ListenerOwner } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import { rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RequestsUnderWay } from '#adapters/mcp/protocol/requests-under-way.ts';
import { answer, type EventLine, type MessageAnswer } from '#adapters/mcp/transports/exchange.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Random } from '#application/ports/random.ts';

/** The maximum number of sessions, for one user and for all, and how long one may be idle, in ms. */
export type SessionBounds = Readonly<{ perUser: number; all: number; idleMs: number }>;

/** Limits of this server; the protocol has none. */
export const sessionBounds: SessionBounds = { perUser: 32, all: 10_000, idleMs: 1_800_000 };

/** A session of Streamable HTTP: the state of a client that can be asked. */
export type HttpSession = {
  readonly id: string;
  readonly userId: number;
  readonly channel: ClientChannel;
  readonly underWay: Set<RequestsUnderWay>;
  /** The stream for messages that belong to no request; null while the client has none open. */
  line: EventLine | null;
  /** The listener for changes on that stream, or on the last one. */
  listener: Listener | null;
};

/** The sessions' dependencies; lines to clients join the `listeners`. */
export type HttpSessionsDependencies = Readonly<{
  random: Random;
  bounds: SessionBounds;
  listeners: Listeners;
  clock: Clock;
}>;

/** Holds the sessions of Streamable HTTP. Each belongs to the user who began it; when there are too many, the one idle longest ends. */
export class HttpSessions {
  readonly #random: Random;
  readonly #bounds: SessionBounds;
  readonly #listeners: Listeners;
  readonly #clock: Clock;
  readonly #sessions: LRUCache<string, HttpSession>;
  readonly #idsOf = new Map<number, Set<string>>();

  constructor({ random, bounds, listeners, clock }: HttpSessionsDependencies) {
    this.#random = random;
    this.#bounds = bounds;
    this.#listeners = listeners;
    this.#clock = clock;
    this.#sessions = new LRUCache({
      max: bounds.all,
      ttl: bounds.idleMs,
      updateAgeOnGet: true,
      dispose: (session) => this.#forget(session),
    });
  }

  /** The number of sessions. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Begins a session. A user with too many loses the one idle longest. */
  open(userId: number): HttpSession {
    this.#sessions.purgeStale();
    const own = this.#idsOf.get(userId) ?? new Set();
    this.#idsOf.set(userId, own);
    if (own.size >= this.#bounds.perUser) this.#sessions.delete(this.#leastRecentlyUsed(own));
    const session = {
      id: this.#random.token(24),
      userId,
      channel: new ClientChannel(),
      underWay: new Set<never>(),
      line: null,
      listener: null,
    };
    own.add(session.id);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Finds the user's session by its id; null when it is over, or another's. */
  find(id: string, userId: number): HttpSession | null {
    const session = this.#sessions.peek(id);
    return session?.userId === userId ? (this.#sessions.get(id) ?? null) : null;
  }

  /** Ends a session; false when the user has none of that id. */
  end(id: string, userId: number): boolean {
    return this.#sessions.peek(id)?.userId === userId && this.#sessions.delete(id);
  }

  /**
   * Opens the stream of a session in place of an earlier one, and sends changes on it. A session with a stream is not idle;
   * list changes from the time without one are sent on the next one.
   */
  openLine(session: HttpSession, { user, choice }: Omit<ListenerOwner, 'since'>, openLine: () => EventLine): void {
    session.line?.end();
    const line = openLine();
    session.line = line;
    this.#sessions.set(session.id, session, { ttl: 0 });
    const { channel, listener: former } = session;
    const listener = new LegacyListener({ user, choice, since: this.#clock.now() }, channel, line);
    listener.shown = former?.shown ?? null;
    session.listener = listener;
    const remove = this.#listeners.add(listener);
    line.onClose(() => {
      remove();
      if (session.line !== line) return;
      session.line = null;
      if (this.#sessions.has(session.id)) this.#sessions.set(session.id, session, { ttl: this.#bounds.idleMs });
    });
  }

  /** Ends all sessions and their streams. */
  close(): void {
    this.#sessions.clear();
  }

  /** The answer to a client whose session is over: it begins anew. */
  readonly notFound: MessageAnswer = answer(
    404,
    rpcError(
      null,
      rpcCodes.sessionNotFound,
      'Session not found: begin anew with initialize, or leave Mcp-Session-Id out.',
    ),
  );

  #leastRecentlyUsed(own: ReadonlySet<string>): string {
    const least = [...own].sort(
      (left, right) => this.#sessions.getRemainingTTL(left) - this.#sessions.getRemainingTTL(right),
    );
    return least[0] ?? '';
  }

  #forget({ id, userId, underWay, line }: HttpSession): void {
    for (const running of underWay) running.cancelAll();
    line?.end();
    const own = this.#idsOf.get(userId);
    own?.delete(id);
    if (own?.size === 0) this.#idsOf.delete(userId);
  }
}
