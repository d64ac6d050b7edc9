import { LRUCache } from 'lru-cache';
import type { EventLine, MessageAnswer } from '#adapters/contracts/mcp-exchange.ts';
import { LegacyListener, type ListenerOwner } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import { type RpcParams, type RpcResponse, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { answer } from '#adapters/mcp/transports/exchange.ts';
import type { HttpSession } from '#adapters/mcp/transports/http-session.ts';
import type { SessionBounds } from '#adapters/mcp/transports/session-bounds.ts';
import { type SessionNotice, SharedSessions, type Sharing } from '#adapters/mcp/transports/shared-sessions.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Random } from '#application/ports/random.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/** The sessions' dependencies; streams to clients join the `listeners`. Without `sharing` this server is alone. */
type HttpSessionsDependencies = Readonly<{
  random: Random;
  bounds: SessionBounds;
  listeners: Listeners;
  clock: Clock;
  sharing?: Sharing | null;
}>;

/**
 * Holds the sessions of Streamable HTTP. Each belongs to the user who opened it; when there are too many, the least
 * recently used one ends. With `sharing`, sessions are shared by all servers, and what is held here is this server's
 * view of them.
 */
export class HttpSessions {
  readonly #random: Random;
  readonly #bounds: SessionBounds;
  readonly #listeners: Listeners;
  readonly #clock: Clock;
  readonly #sessions: LRUCache<string, HttpSession>;
  readonly #idsOf = new Map<number, Set<string>>();
  readonly #shared: SharedSessions | null;
  readonly #using: NodeJS.Timeout | undefined;
  /** When all sessions were last looked at for those that have been idle too long, in Unix ms. */
  #purgedAt = 0;

  constructor({ random, bounds, listeners, clock, sharing = null }: HttpSessionsDependencies) {
    this.#random = random;
    this.#bounds = bounds;
    this.#listeners = listeners;
    this.#clock = clock;
    this.#sessions = new LRUCache({
      ...entriesUpTo(bounds.all),
      ttl: bounds.idleMs,
      updateAgeOnGet: true,
      dispose: (session) => this.#forget(session),
    });
    const hearing = { heard: (notice: SessionNotice) => this.#heard(notice), missed: () => this.#missed() };
    this.#shared = sharing === null ? null : new SharedSessions(sharing, hearing);
    if (this.#shared !== null) this.#using = setInterval(() => void this.#useOpen(), bounds.idleMs / 3).unref();
  }

  /** The number of sessions. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Opens a session. A user with too many loses the least recently used one. */
  open(userId: number): HttpSession {
    this.#purge();
    return this.#hold(this.#random.token(24), userId);
  }

  /** Stores a new session so that all servers know it, before its client receives the id. */
  async keep(session: HttpSession): Promise<void> {
    const ended = (await this.#shared?.open(session)) ?? [];
    for (const id of ended) this.#sessions.delete(id);
  }

  /** Stores what a request has changed in a session, before its client receives the answer. */
  async save(session: HttpSession): Promise<void> {
    if (this.#shared !== null && session.stored !== null) await this.#shared.save(session);
  }

  /** Finds the user's session by its id; null when it has ended, or is another user's. */
  async find(id: string, userId: number): Promise<HttpSession | null> {
    const known = this.#sessions.peek(id);
    if (known !== undefined && known.userId !== userId) return null;
    if (this.#shared === null) return this.#sessions.get(id) ?? null;
    const session = known === undefined || known.isUnsure ? await this.#lookUp(this.#shared, id, userId) : known;
    if (session === null) return null;
    this.#sessions.get(id);
    if (this.#clock.now() - session.usedAt > this.#bounds.idleMs / 10) {
      session.usedAt = this.#clock.now();
      void this.#shared.use([id]);
    }
    return session;
  }

  /** Cancels a request of the session, on whichever server it is in flight. */
  cancel({ id, inFlight }: HttpSession, method: string, params: RpcParams): void {
    const isHere = [...inFlight].map((running) => running.notice(method, params)).includes(true);
    if (!isHere && method === 'notifications/cancelled') this.#shared?.cancel(id, params);
  }

  /** Delivers the client's answer to a request, on whichever server has asked. */
  settle({ id, channel }: HttpSession, response: RpcResponse): void {
    if (!channel.settle(response)) this.#shared?.answer(id, response);
  }

  /** Ends a session; false when the user has none with that id. */
  async end(id: string, userId: number): Promise<boolean> {
    const isHere = this.#sessions.peek(id)?.userId === userId && this.#sessions.delete(id);
    return this.#shared === null ? isHere : this.#shared.end(id, userId);
  }

  /**
   * Opens the stream of a session, replacing an earlier one, and sends changes on it. A session with a stream is not
   * idle; list changes that occurred without a stream are sent on the next one.
   */
  openLine(session: HttpSession, { user, choice }: Omit<ListenerOwner, 'since'>, openLine: () => EventLine): void {
    session.line?.end();
    const line = openLine();
    session.line = line;
    this.#shared?.opened(session.id);
    this.#sessions.set(session.id, session, { ttl: 0 });
    const { channel, listener: former } = session;
    const listener = new LegacyListener({ user, choice, since: this.#clock.now() }, channel, line);
    listener.shown = former?.shown ?? channel.shown;
    session.listener = listener;
    const remove = this.#listeners.add(listener);
    line.onClose(() => {
      remove();
      if (session.line !== line) return;
      session.line = null;
      channel.shown = listener.shown;
      // If the database is unavailable, another server that takes over does not report changes from before.
      void this.save(session).catch(() => undefined);
      if (this.#sessions.has(session.id)) this.#sessions.set(session.id, session, { ttl: this.#bounds.idleMs });
    });
  }

  /** Ends all sessions and their streams; shared sessions continue on other servers. */
  close(): void {
    clearInterval(this.#using);
    this.#sessions.clear();
  }

  /** The response for a session that has ended: the client starts a new one. */
  readonly notFound: MessageAnswer = answer(
    404,
    rpcError(
      null,
      rpcCodes.sessionNotFound,
      'Session not found: start a new one with initialize, or omit Mcp-Session-Id.',
    ),
  );

  /** Looks at all sessions at most sixty times in what makes one idle: there may be thousands, and as many are opened at once. */
  #purge(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#purgedAt) < this.#bounds.idleMs / 60) return;
    this.#purgedAt = now;
    this.#sessions.purgeStale();
  }

  /**
   * Holds a new session, or one from another server. A user with too many loses the least recently used one on this
   * server.
   */
  #hold(id: string, userId: number): HttpSession {
    const own = this.#idsOf.get(userId) ?? new Set();
    this.#idsOf.set(userId, own);
    if (own.size >= this.#bounds.perUser) this.#sessions.delete(this.#leastRecentlyUsed(own));
    const session: HttpSession = {
      id,
      userId,
      channel: new ClientChannel(this.#shared?.idPrefix),
      inFlight: new Set(),
      line: null,
      listener: null,
      stored: null,
      isUnsure: false,
      usedAt: this.#clock.now(),
    };
    // Deleting the last session may have removed the user's set.
    this.#idsOf.set(userId, own.add(id));
    this.#sessions.set(id, session);
    return session;
  }

  /** Looks up a session that this server does not know, or is not sure of. */
  async #lookUp(shared: SharedSessions, id: string, userId: number): Promise<HttpSession | null> {
    const found = await shared.find(id);
    const known = this.#sessions.peek(id);
    if (found === null || found.userId !== userId) {
      if (known?.stored !== null) this.#sessions.delete(id);
      return null;
    }
    const session = known ?? this.#hold(id, userId);
    session.isUnsure = false;
    shared.take(session, found.state);
    return session;
  }

  #heard({ id, ended, state, line, cancelled, response }: SessionNotice): void {
    const session = this.#sessions.peek(id);
    if (session === undefined) return;
    if (ended === true) this.#sessions.delete(id);
    if (state !== undefined) this.#shared?.hear(session, state);
    if (line === true) session.line?.end();
    if (response !== undefined) session.channel.settle(response);
    if (cancelled !== undefined) {
      for (const running of session.inFlight) running.notice('notifications/cancelled', cancelled);
    }
  }

  /** Marks each session to be verified before its next use, and verifies those with a stream at once. */
  #missed(): void {
    for (const session of this.#sessions.values()) {
      session.isUnsure = true;
      // While the database is unavailable nothing is known; the stream stays open.
      if (session.line !== null) this.find(session.id, session.userId).catch(() => undefined);
    }
  }

  async #useOpen(): Promise<void> {
    const open = [...this.#sessions.values()].filter(({ line, stored }) => line !== null && stored !== null);
    await this.#shared?.use(open.map(({ id }) => id));
  }

  #leastRecentlyUsed(own: ReadonlySet<string>): string {
    const least = [...own].sort(
      (left, right) => this.#sessions.getRemainingTTL(left) - this.#sessions.getRemainingTTL(right),
    );
    return least[0] ?? '';
  }

  #forget({ id, userId, inFlight, line }: HttpSession): void {
    for (const running of inFlight) running.cancelAll();
    line?.end();
    const own = this.#idsOf.get(userId);
    own?.delete(id);
    if (own?.size === 0) this.#idsOf.delete(userId);
  }
}
