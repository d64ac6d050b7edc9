import type {
  ConnectionOverview,
  ConnectionPlace,
  Connections,
  StoredConnection,
} from '#application/ports/connections.ts';
import type { ConnectionStatus } from '#domain/connections/connection-status.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { frozen } from '#infrastructure/memory/frozen-copy.ts';
import { type Lifetime, ReadThrough } from '#infrastructure/memory/read-through.ts';

/** How long and how many answers are remembered, and the time in ms from any beginning. */
export type CacheOptions = Readonly<{ ttlMs?: Lifetime; max?: number; now?: () => number }>;

/** A connection, or that there is none. */
type Known = Readonly<{ connection: StoredConnection | null }>;

/**
 * Answers `find` and `overview` from memory for `ttlMs`. A change made through it is seen at once, one made by another process after
 * `ttlMs` at the latest, or until `forget` is called for it. Everything else is answered by the store.
 */
export class CachedConnections implements Connections {
  readonly #inner: Connections;
  readonly #known: ReadThrough<string, Known>;
  readonly #overviews: ReadThrough<number, ConnectionOverview>;

  constructor(inner: Connections, { ttlMs = 2_000, max = 1_000, now = () => performance.now() }: CacheOptions = {}) {
    this.#inner = inner;
    // Purged at once when it is over: plain credentials stay in memory no longer than they serve.
    this.#known = new ReadThrough({ max, ttl: ttlMs, ttlAutopurge: true, perf: { now } });
    this.#overviews = new ReadThrough({ max, ttl: ttlMs, perf: { now } });
  }

  async find(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    const read = async () => frozen({ connection: await this.#inner.find(userId, service) });
    return (await this.#known.get(keyOf(userId, service), read)).connection;
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    const { services, isInTeamVault } = await this.#overviews.get(userId, () => this.#inner.overview(userId));
    return { services: new Set(services), isInTeamVault };
  }

  reload(userId: number, service: ServiceKey): Promise<StoredConnection | null> {
    return this.#forgetting({ userId, service }, this.#inner.reload(userId, service));
  }

  list(userId: number): Promise<readonly StoredConnection[]> {
    return this.#inner.list(userId);
  }

  renewable(): Promise<readonly ConnectionPlace[]> {
    return this.#inner.renewable();
  }

  dueForProbe(now: number): Promise<readonly ConnectionPlace[]> {
    return this.#inner.dueForProbe(now);
  }

  save(record: TokenRecord, status: ConnectionStatus): Promise<void> {
    return this.#forgetting(record, this.#inner.save(record, status));
  }

  replace(before: TokenRecord, after: TokenRecord): Promise<boolean> {
    return this.#forgetting(before, this.#inner.replace(before, after));
  }

  changeStatus(place: ConnectionPlace, status: ConnectionStatus): Promise<boolean> {
    return this.#forgetting(place, this.#inner.changeStatus(place, status));
  }

  remove(userId: number, service: ServiceKey): Promise<boolean> {
    return this.#forgetting({ userId, service }, this.#inner.remove(userId, service));
  }

  /** Has all connections of a user looked up anew, because one of them has changed somewhere. */
  forget(userId: number): void {
    this.#known.forgetWhere((key) => key.startsWith(keyOf(userId, '')));
    this.#overviews.forget(userId);
  }

  /** Has all connections of everybody looked up anew, because changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
    this.#overviews.forgetWhere(() => true);
  }

  /** Whatever comes of it, well or not, the connection is looked up anew. */
  async #forgetting<Value>({ userId, service }: ConnectionPlace, done: Promise<Value>): Promise<Value> {
    try {
      return await done;
    } finally {
      this.#known.forget(keyOf(userId, service));
      this.#overviews.forget(userId);
    }
  }
}

function keyOf(userId: number, service: ServiceKey): string {
  return `${userId}/${service}`;
}
