import { LRUCache } from 'lru-cache';
import { ClientChannel } from '#adapters/mcp/client-channel.ts';
import { type Answer, answer, type EventLine } from '#adapters/mcp/exchange.ts';
import { rpcCodes, rpcError } from '#adapters/mcp/json-rpc.ts';
import type { RequestsUnderWay } from '#adapters/mcp/requests-under-way.ts';
import type { Random } from '#application/ports/random.ts';

/** How many sessions there may be, for one user and for all, and how long one may rest, in ms. */
export type SessionBounds = Readonly<{ perUser: number; all: number; idleMs: number }>;

/** Not in the protocol: bounds of ours. */
export const sessionBounds: SessionBounds = { perUser: 32, all: 10_000, idleMs: 1_800_000 };

/** A session of Streamable HTTP: what is remembered of a client that can be asked. */
export type HttpSession = {
  readonly id: string;
  readonly userId: number;
  readonly channel: ClientChannel;
  readonly underWay: Set<RequestsUnderWay>;
  /** Where messages go that belong to no request; null while the client has no such stream open. */
  line: EventLine | null;
};

/** The sessions of Streamable HTTP. One belongs to the user who began it; when there are too many, the longest unused ends. */
export class HttpSessions {
  readonly #random: Random;
  readonly #bounds: SessionBounds;
  readonly #sessions: LRUCache<string, HttpSession>;
  readonly #idsOf = new Map<number, Set<string>>();

  constructor(random: Random, bounds: SessionBounds) {
    this.#random = random;
    this.#bounds = bounds;
    this.#sessions = new LRUCache({
      max: bounds.all,
      ttl: bounds.idleMs,
      updateAgeOnGet: true,
      dispose: (session) => this.#forget(session),
    });
  }

  /** How many sessions there are. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Begins a session. A user with too many loses the one that rested longest. */
  open(userId: number): HttpSession {
    this.#sessions.purgeStale();
    const own = this.#idsOf.get(userId) ?? new Set();
    this.#idsOf.set(userId, own);
    if (own.size >= this.#bounds.perUser) this.#sessions.delete(this.#longestUnused(own));
    const session = {
      id: this.#random.token(24),
      userId,
      channel: new ClientChannel(),
      underWay: new Set<never>(),
      line: null,
    };
    own.add(session.id);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** The user's session of that id; null when it is over, or another's. */
  find(id: string, userId: number): HttpSession | null {
    const session = this.#sessions.peek(id);
    return session?.userId === userId ? (this.#sessions.get(id) ?? null) : null;
  }

  /** Ends a session; false when the user has none of that id. */
  end(id: string, userId: number): boolean {
    return this.#sessions.peek(id)?.userId === userId && this.#sessions.delete(id);
  }

  /** Tells every session that watches the address. */
  tellChanged(uri: string, userId: number): void {
    const params = { uri };
    const json = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
    for (const id of this.#idsOf.get(userId) ?? []) {
      const session = this.#sessions.peek(id);
      if (session?.channel.subscriptions.has(uri) === true) session.line?.send('message', json);
    }
  }

  /** Ends all sessions and their streams. */
  close(): void {
    this.#sessions.clear();
  }

  /** What a client is told whose session is over: it begins anew. */
  readonly notFound: Answer = answer(
    404,
    rpcError(
      null,
      rpcCodes.sessionNotFound,
      'Session not found: begin anew with initialize, or leave Mcp-Session-Id out.',
    ),
  );

  #longestUnused(own: ReadonlySet<string>): string {
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
