import pg from 'pg';

/** The options of a listening connection. */
export type ListeningOptions = Readonly<{
  /** `postgres://user:password@host/name`, bypassing any transaction pooler. */
  url: string;
  channel: string;
  /** The timeout of connecting and of LISTEN, in ms. */
  maxConnectMs: number;
  /** Runs statements on each new connection after LISTEN. */
  onConnected(query: (sql: string, values: readonly unknown[]) => Promise<unknown>): Promise<unknown>;
  /** Handles a notification. */
  onNotification(payload: string): void;
  /**
   * Called when the connection is lost and after each failed attempt to reconnect; `error` is null when it ended
   * without one.
   */
  onLost(error: Error | null): void;
  /** Called when the connection listens again. */
  onBack(): void;
}>;

/** The bounds of the reconnect back-off, in ms. */
const backoff = { firstMs: 100, longestMs: 5_000 } as const;

/** A dedicated PostgreSQL connection that listens on one channel and reconnects whenever it is lost. */
export class ListeningConnection {
  readonly #options: ListeningOptions;
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | undefined;
  #waitMs: number = backoff.firstMs;
  #isClosed = false;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** Whether it is connected, as far as is known. */
  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Connects for the first time; throws when that fails. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Drops a connection that seems to be dead and reconnects. */
  renew(): void {
    const client = this.#client;
    if (client !== null) this.#lose(client, null);
  }

  /** Ends the connection without reconnecting. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    if (client !== null) end(client);
  }

  async #connect(): Promise<void> {
    const { url, channel, maxConnectMs, onConnected, onNotification } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: maxConnectMs,
      query_timeout: maxConnectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, null));
    client.on('notification', ({ payload }) => {
      if (client === this.#client) onNotification(payload ?? '');
    });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      await onConnected((sql, values) => client.query(sql, [...values]));
    } catch (error) {
      end(client);
      throw error;
    }
    if (this.#isClosed) end(client);
    else this.#client = client;
  }

  #lose(client: pg.Client, error: Error | null): void {
    if (client !== this.#client) return;
    this.#client = null;
    end(client);
    this.#options.onLost(error);
    this.#again();
  }

  #again(): void {
    if (this.#isClosed) return;
    // Jitter, so that servers do not reconnect simultaneously.
    const waitMs = this.#waitMs * (0.5 + Math.random() / 2);
    this.#waitMs = Math.min(this.#waitMs * 2, backoff.longestMs);
    this.#retry = setTimeout(() => void this.#reconnect(), waitMs).unref();
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.#options.onLost(error instanceof Error ? error : new Error(String(error)));
      this.#again();
      return;
    }
    if (this.#isClosed) return;
    this.#waitMs = backoff.firstMs;
    this.#options.onBack();
  }
}

/** Ends a client in any state, without waiting for one that hangs. */
function end(client: pg.Client): void {
  client.removeAllListeners('notification');
  client.end().catch(() => undefined);
  setTimeout(() => client.connection.stream.destroy(), 500).unref();
}
