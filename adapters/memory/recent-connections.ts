import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { KnownConnection, KnownConnections } from '#application/ports/known-connections.ts';
import type { OutboundTokens } from '#application/ports/outbound-tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { ReadThrough } from '#infrastructure/memory/read-through.ts';

/** How long and how many are remembered, and the time in ms from any beginning. */
export type RecentOptions = Readonly<{ ttlMs?: number; max?: number; now?: () => number }>;

/**
 * Connections as calls find them, answered from memory for `ttlMs`: what was read is decrypted once. A change made through `tokens`
 * or `standings` is seen at once, one made by another process after `ttlMs` at the latest. Whoever looks through `tokens`
 * itself, as a renewal after a 401 does, sees what is stored, and calls do from then on.
 */
export class RecentConnections implements KnownConnections {
  readonly tokens: OutboundTokens;
  readonly standings: ConnectionStandings;
  readonly #stored: Readonly<{ tokens: OutboundTokens; standings: ConnectionStandings }>;
  readonly #known: ReadThrough<string, KnownConnection>;

  constructor(
    tokens: OutboundTokens,
    standings: ConnectionStandings,
    { ttlMs = 2_000, max = 1_000, now = () => performance.now() }: RecentOptions = {},
  ) {
    this.#stored = { tokens, standings };
    // Purged at once when it is over: plain tokens stay in memory no longer than they serve.
    this.#known = new ReadThrough({ max, ttl: ttlMs, ttlAutopurge: true, perf: { now } });
    this.tokens = this.#tellingTokens(tokens);
    this.standings = this.#tellingStandings(standings);
  }

  async find(userId: number, service: ServiceKey): Promise<KnownConnection> {
    return this.#known.get(keyOf(userId, service), async () => {
      const { tokens, standings } = this.#stored;
      const [record, kept] = await Promise.all([tokens.find(userId, service), standings.find(userId, service)]);
      return { record, kept };
    });
  }

  #tellingTokens(stored: OutboundTokens): OutboundTokens {
    return {
      find: (userId, service) => this.#forgetting(userId, service, stored.find(userId, service)),
      list: (userId) => stored.list(userId),
      renewable: () => stored.renewable(),
      keep: (record) => this.#forgetting(record.userId, record.service, stored.keep(record)),
      replace: (before, after) => this.#forgetting(before.userId, before.service, stored.replace(before, after)),
      remove: (userId, service) => this.#forgetting(userId, service, stored.remove(userId, service)),
    };
  }

  #tellingStandings(stored: ConnectionStandings): ConnectionStandings {
    return {
      find: (userId, service) => stored.find(userId, service),
      list: (userId) => stored.list(userId),
      dueForProbe: (now) => stored.dueForProbe(now),
      keep: (standing) => this.#forgetting(standing.userId, standing.service, stored.keep(standing)),
      remove: (userId, service) => this.#forgetting(userId, service, stored.remove(userId, service)),
    };
  }

  /** What comes of it, well or not, the connection is looked up anew. */
  async #forgetting<Value>(userId: number, service: ServiceKey, done: Promise<Value>): Promise<Value> {
    try {
      return await done;
    } finally {
      this.#known.forget(keyOf(userId, service));
    }
  }
}

function keyOf(userId: number, service: ServiceKey): string {
  return `${userId}/${service}`;
}
