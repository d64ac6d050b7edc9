import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { SharePlace } from '#adapters/services/share-place.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';

/** How long a server that used a connection counts as one that shares its budgets, in ms. */
const countsForMs = 15_000;
/** How often a server tells that it uses a connection, in ms. */
const tellsEveryMs = 5_000;
/** How long others wait at most after a rejection that one of them met, in ms. */
const maxPauseMs = 60_000;
/** How many connections are remembered. */
const maxConnections = 10_000;

const topics = { use: 'budget.use', refused: 'budget.refused' } as const;
const useSchema = z.object({ connection: z.string() });
const refusedSchema = z.object({ connection: z.string(), retryAfterMs: z.number() });

type Known = { publishedAt: number; usedAt: number; pausedUntil: number; heardAt: Map<string, number> };

/**
 * Knows which servers use which connection, so that each takes its share of the provider's budgets: servers tell each other
 * of their use at once when it begins and every 5 s while it lasts, not with every call (LIMIT-011). Times are monotonic.
 */
export class BudgetShares {
  readonly #others: OtherServers;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, Known>({ max: maxConnections });

  constructor(others: OtherServers, now: () => number = () => performance.now()) {
    this.#others = others;
    this.#now = now;
    others.hear(topics.use, (body, from) => this.#heardUse(body, from));
    others.hear(topics.refused, (body) => this.#heardRejection(body));
  }

  /** Notes that this server uses the connection now, and returns its place among the servers that do. */
  place(connection: string): SharePlace {
    const known = this.#of(connection);
    const now = this.#now();
    known.usedAt = now;
    if (now - known.publishedAt >= tellsEveryMs) this.#tell(connection, known);
    for (const [server, at] of known.heardAt) if (now - at > countsForMs) known.heardAt.delete(server);
    const before = [...known.heardAt.keys()].filter((server) => server < this.#others.serverId);
    return { sharers: 1 + known.heardAt.size, rank: before.length };
  }

  /** How long the connection rests since another server was refused, in ms; 0 when it does not. */
  pauseMs(connection: string): number {
    return Math.max(0, (this.#known.get(connection)?.pausedUntil ?? 0) - this.#now());
  }

  /** Tells the others that the provider refused a request of the connection for that long. */
  publishRejection(connection: string, retryAfterMs: number): void {
    if (retryAfterMs > 0) this.#others.tell(topics.refused, { connection, retryAfterMs });
  }

  #heardUse(body: unknown, from: string): void {
    const { success, data } = useSchema.safeParse(body);
    if (!success) return;
    const known = this.#of(data.connection);
    const now = this.#now();
    const isNew = !known.heardAt.has(from);
    known.heardAt.set(from, now);
    // A server that begins hears of those that use the connection already.
    if (isNew && now - known.usedAt <= countsForMs) this.#tell(data.connection, known);
  }

  #heardRejection(body: unknown): void {
    const { success, data } = refusedSchema.safeParse(body);
    if (!success) return;
    const known = this.#of(data.connection);
    known.pausedUntil = Math.max(known.pausedUntil, this.#now() + Math.min(data.retryAfterMs, maxPauseMs));
  }

  #tell(connection: string, known: Known): void {
    known.publishedAt = this.#now();
    this.#others.tell(topics.use, { connection });
  }

  #of(connection: string): Known {
    const never = Number.NEGATIVE_INFINITY;
    const known = this.#known.get(connection) ?? {
      publishedAt: never,
      usedAt: never,
      pausedUntil: 0,
      heardAt: new Map(),
    };
    this.#known.set(connection, known);
    return known;
  }
}
