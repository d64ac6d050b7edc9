import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { AnswerTime } from '#infrastructure/database/answer-time.ts';
import { DatabaseUnavailable, type UnavailableReason } from '#infrastructure/database/database-unavailable.ts';
import { withoutNul } from '#infrastructure/database/sql-text.ts';

/** The subset of a `pg` pool in use; it reads the timeout at each `connect`. */
export type Pool = Readonly<{
  options: { connectionTimeoutMillis?: number | undefined };
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}>;

/** The usual timeouts of a statement and of getting a connection, in ms; 0 for none. */
export type QueryLimits = Readonly<{ maxQueryMs: number; maxConnectMs: number }>;

type PoolClient = Readonly<{
  query(
    query: Readonly<{ name?: string; text: string; values: unknown[]; query_timeout: number }>,
  ): Promise<Readonly<{ command: string; rowCount: number | null; rows: unknown[] }>>;
  release(destroy?: boolean): void;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}>;

/**
 * Query builder driver that releases a connection after every failure: the query builder's own leaks connections whose
 * BEGIN or ROLLBACK failed, which exhausts a pool of ten permanently.
 */
export class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #limits: QueryLimits;
  readonly #time = new AnswerTime();

  constructor(pool: Pool, limits: QueryLimits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresLane> {
    this.#pool.options.connectionTimeoutMillis = this.#time.wait(this.#limits.maxConnectMs);
    try {
      return new PostgresLane(await this.#pool.connect(), this.#limits, this.#time);
    } catch (error) {
      // Acquiring failed, so the cause is the connection and not the statement.
      throw error instanceof Error ? new DatabaseUnavailable('unreachable', error) : error;
    }
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const lane = laneOf(connection);
    try {
      await lane.executeQuery(CompiledQuery.raw(accessMode === undefined ? 'begin' : `begin ${accessMode}`));
    } catch (error) {
      lane.end(true);
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await laneOf(connection).executeQuery(CompiledQuery.raw('commit'));
  }

  /** Never fails: a connection that cannot roll back is closed, which ends its transaction. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const lane = laneOf(connection);
    await lane.executeQuery(CompiledQuery.raw('rollback')).catch(() => lane.end(true));
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await laneOf(connection).executeQuery(CompiledQuery.raw(`savepoint ${name}`));
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await laneOf(connection).executeQuery(CompiledQuery.raw(`rollback to ${name}`));
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await laneOf(connection).executeQuery(CompiledQuery.raw(`release ${name}`));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    laneOf(connection).end(false);
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

/** After how long a connection drops its plans, in ms: a plan of an empty table reads one that has grown whole. */
const maxPlanAgeMs = 10_000;
/** When each connection dropped its plans, or made the first. */
const plannedAt = new WeakMap<PoolClient, number>();

/** A connection of the pool, held until it is released. */
export class PostgresLane implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #limits: QueryLimits;
  readonly #time: AnswerTime;
  #isBroken = false;
  #isEnded = false;
  /** Handles the error of a connection that the server closes while it is idle; the next statement fails. */
  readonly #onError = (): void => {
    this.#isBroken = true;
  };

  constructor(client: PoolClient, limits: QueryLimits, time: AnswerTime) {
    this.#client = client;
    this.#limits = limits;
    this.#time = time;
    client.on('error', this.#onError);
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute(query, {});
  }

  /** Executes a query, outside of transactions, as a prepared statement of this name, which each connection plans seldom. */
  async executePrepared<Row>(query: CompiledQuery, name: string): Promise<QueryResult<Row>> {
    const now = performance.now();
    const since = plannedAt.get(this.#client);
    if (since === undefined || now - since > maxPlanAgeMs) {
      if (since !== undefined) await this.executeQuery(CompiledQuery.raw('discard plans'));
      plannedAt.set(this.#client, now);
    }
    return this.execute(query, { name });
  }

  /** Executes a query; with a name as a prepared statement. */
  async execute<Row>(
    { sql, parameters }: CompiledQuery,
    named: Readonly<{ name?: string }>,
  ): Promise<QueryResult<Row>> {
    try {
      const text = withoutNul(sql);
      const query_timeout = this.#time.wait(this.#limits.maxQueryMs);
      const askedAt = performance.now();
      const { command, rowCount, rows } = await this.#client.query({
        ...named,
        text,
        values: [...parameters],
        query_timeout,
      });
      this.#time.took(performance.now() - askedAt);
      const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command);
      return { rows: rows as Row[], ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null || !(error instanceof Error)) throw error;
      // A statement may still be running: the connection must not be reused, since the next caller could read its
      // result or join its transaction.
      this.#isBroken = true;
      throw new DatabaseUnavailable(reason, error);
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Rows are not streamed from PostgreSQL');
  }

  /** Releases the connection, once; closes it when it is broken or `isToClose`. */
  end(isToClose: boolean): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#client.off('error', this.#onError);
    this.#client.release(this.#isBroken || isToClose);
  }
}

function laneOf(connection: DatabaseConnection): PostgresLane {
  if (connection instanceof PostgresLane) return connection;
  throw new Error('This connection belongs to another driver');
}

/** The reasons for the SQLSTATE classes and codes that do not concern the statement (PostgreSQL, Appendix A). */
const reasons: readonly (readonly [RegExp, UnavailableReason])[] = [
  [/^53100$/, 'full'],
  [/^25006$/, 'read_only'],
  [/^55P03$/, 'locked'],
  [/^(XX001|XX002)$/, 'damaged'],
  [/^58/, 'broken'],
  // 25P03 and 25P04 end the session of a transaction that was left alone for too long, as by a server that stood still.
  [/^(08|53|57P|28|3D000|25P0[34])/, 'unreachable'],
];

/** Returns why the database is unavailable; null when the error concerns the statement. */
function reasonOf(error: unknown): UnavailableReason | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Connection errors come from the network (ECONNRESET) or from the driver, without a code.
  if (!/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]/.test(code)) return 'unreachable';
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
