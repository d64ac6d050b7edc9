import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AnnouncedUses, type Uses } from '#adapters/services/limits/announced-uses.ts';
import type { SharePlace } from '#adapters/services/limits/share-place.ts';
import type { OtherServers } from '#application/ports/other-servers.ts';
import { entriesUpTo } from '#infrastructure/memory/entries-up-to.ts';

/** How long a server that used a connection counts as sharing its budgets, in ms. */
const countsForMs = 15_000;
/** How often a server announces that it uses a connection, in ms. */
const announceEveryMs = 5_000;
/** The maximum pause after a rejection that another server met, in ms. */
const maxPauseMs = 60_000;
/** The maximum number of connections tracked. */
const maxConnections = 10_000;

const topics = { use: 'budget.use', refused: 'budget.refused' } as const;
/** Optional, since servers of an earlier release do not report what they used. */
const useSchema = z.object({
  connection: z.string(),
  used: z.record(z.string(), z.object({ points: z.number().min(0), endsInMs: z.number() })).optional(),
});
const refusedSchema = z.object({ connection: z.string(), retryAfterMs: z.number() });

type Known = {
  publishedAt: number;
  usedAt: number;
  pausedUntil: number;
  readonly heardAt: Map<string, number>;
  readonly said: AnnouncedUses;
};

/** This server's use of a connection's budgets, by budget name: points, and ms until the window ends. */
export type UseOf = (connection: string) => Readonly<Record<string, Readonly<{ points: number; endsInMs: number }>>>;

/**
 * Tracks which servers use which connection, so that each takes its share of the provider's budgets. Servers announce
 * their use when it begins and every 5 s while it lasts, rather than with every call, together with what they have used
 * so far (LIMIT-011). Times are monotonic.
 */
export class BudgetShares {
  readonly #others: OtherServers;
  readonly #now: () => number;
  #useOf: UseOf = () => ({});
  readonly #known = new LRUCache<string, Known>(entriesUpTo(maxConnections));

  constructor(others: OtherServers, now: () => number = () => performance.now()) {
    this.#others = others;
    this.#now = now;
    others.subscribe(topics.use, (body, from) => this.#heardUse(body, from));
    others.subscribe(topics.refused, (body) => this.#heardRejection(body));
  }

  /** Sets the function that reads this server's use when it is announced. */
  readUseBy(useOf: UseOf): void {
    this.#useOf = useOf;
  }

  /** Records that this server uses the connection now, and returns its place among the servers that do. */
  place(connection: string): SharePlace {
    const known = this.#of(connection);
    const now = this.#now();
    known.usedAt = now;
    if (now - known.publishedAt >= announceEveryMs) this.#tell(connection, known);
    for (const [server, at] of known.heardAt) if (now - at > countsForMs) known.heardAt.delete(server);
    const before = [...known.heardAt.keys()].filter((server) => server < this.#others.serverId);
    return {
      sharers: 1 + known.heardAt.size,
      rank: before.length,
      announcedUseOf: (budget) => known.said.of(budget, now),
    };
  }

  /** How long requests of the connection pause after a rejection met by another server, in ms; 0 when they do not. */
  pauseMs(connection: string): number {
    return Math.max(0, (this.#known.get(connection)?.pausedUntil ?? 0) - this.#now());
  }

  /** Announces that the provider rejected a request of the connection for this time, in ms. */
  publishRejection(connection: string, retryAfterMs: number): void {
    if (retryAfterMs > 0) this.#others.publish(topics.refused, { connection, retryAfterMs });
  }

  #heardUse(body: unknown, from: string): void {
    const { success, data } = useSchema.safeParse(body);
    if (!success) return;
    const known = this.#of(data.connection);
    const now = this.#now();
    const isNew = !known.heardAt.has(from);
    known.heardAt.set(from, now);
    known.said.hear(from, usesAt(data.used ?? {}, now), now);
    // A server that starts learns which ones already use the connection.
    if (isNew && now - known.usedAt <= countsForMs) this.#tell(data.connection, known);
  }

  #heardRejection(body: unknown): void {
    const { success, data } = refusedSchema.safeParse(body);
    if (!success) return;
    const known = this.#of(data.connection);
    known.pausedUntil = Math.max(known.pausedUntil, this.#now() + Math.min(data.retryAfterMs, maxPauseMs));
  }

  #tell(connection: string, known: Known): void {
    const now = this.#now();
    const used = this.#useOf(connection);
    known.publishedAt = now;
    known.said.say(usesAt(used, now), now);
    this.#others.publish(topics.use, { connection, used });
  }

  #of(connection: string): Known {
    const never = Number.NEGATIVE_INFINITY;
    const known = this.#known.get(connection) ?? {
      publishedAt: never,
      usedAt: never,
      pausedUntil: 0,
      heardAt: new Map(),
      said: new AnnouncedUses(),
    };
    this.#known.set(connection, known);
    return known;
  }
}

function usesAt(used: ReturnType<UseOf>, now: number): Uses {
  return new Map(
    Object.entries(used).map(([name, { points, endsInMs }]) => [name, { points, endsAt: now + endsInMs }]),
  );
}
