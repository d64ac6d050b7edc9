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

/** TTL in ms, maximum number of entries, and a monotonic clock in ms. */
export type CacheOptions = Readonly<{ ttlMs?: Lifetime; max?: number; now?: () => number }>;

/** A cached lookup: the connection, or null when there is none. */
type Known = Readonly<{ connection: StoredConnection | null }>;

/**
 * Caches `find` and `overview` for `ttlMs`. Changes made through this instance invalidate at once; changes by another
 * process are seen after `ttlMs` at the latest, or when `forget` is called. All other calls go to the store.
 */
export class CachedConnections implements Connections {
  readonly #inner: Connections;
  readonly #known: ReadThrough<string, Known>;
  readonly #overviews: ReadThrough<number, ConnectionOverview>;

  constructor(inner: Connections, { ttlMs = 2_000, max = 1_000, now = () => performance.now() }: CacheOptions = {}) {
    this.#inner = inner;
    // Expired entries are purged at once, so that decrypted credentials do not linger in memory.
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

  /** Invalidates all entries of a user, whose connections have changed elsewhere. */
  forget(userId: number): void {
    this.#known.forgetWhere((key) => key.startsWith(keyOf(userId, '')));
    this.#overviews.forget(userId);
  }

  /** Invalidates everything, since changes may have been missed. */
  forgetAll(): void {
    this.#known.forgetWhere(() => true);
    this.#overviews.forgetWhere(() => true);
  }

  /** Invalidates the connection once `done` settles, whether it succeeds or fails. */
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
