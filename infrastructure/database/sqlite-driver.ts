import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as SqliteFile, Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { Turns } from '#infrastructure/concurrency/turns.ts';
import type { CommitSync } from '#infrastructure/database/log-sync.ts';
import { withoutNul } from '#infrastructure/database/sql-text.ts';
import { isLocked, needsReopening, sqliteError } from '#infrastructure/database/sqlite-errors.ts';
import { laneOf, SqliteLane } from '#infrastructure/database/sqlite-lane.ts';

/** The driver's options; `maxWaitMs` is how long a statement waits for the lock of another process. Without `log` SQLite itself brings commits to the disk. */
export type SqliteDriverOptions = Readonly<{ open(): SqliteFile; maxWaitMs: number; log?: CommitSync }>;

/** What a statement gave, and whether it is one that writes. */
type Ran = Readonly<{ result: QueryResult<never>; isWrite: boolean }>;

/** How long to sleep between two attempts at a lock, in ms. */
const lockPollMs = 15;
/** How long to wait for a lock after a wait for it has timed out, in ms: later statements must not queue up behind each other. */
const shortWaitMs = 100;

/** The length above which statements without bound values are not cached: their values are in their text, and they do not recur. */
const maxKeptLength = 500;

/**
 * SQLite's one connection, released after every failure: a transaction that fails in any of its steps is over, and the next
 * statement finds the connection free; one whose file went away is opened anew. SQLite itself never waits, since that would
 * block the whole process: a locked statement is retried from outside, and meanwhile others may read. Transactions take the
 * write lock when they begin: one that began by reading could not get it later without beginning anew. What was written is on
 * disk when its statement, or its transaction's commit, resolves; other statements go on meanwhile.
 */
export class SqliteDriver implements Driver {
  readonly #options: SqliteDriverOptions;
  readonly #turns = new Turns();
  readonly #statements = new LRUCache<string, Statement<unknown[], never>>({ max: 200 });
  #file: SqliteFile | null = null;
  #isStuck = false;
  #isDestroyed = false;

  /** Keeps the options; the first statement opens the file. */
  constructor(options: SqliteDriverOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteLane> {
    return new SqliteLane((lane, query) => this.#execute(lane, query));
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    const lane = laneOf(connection);
    const begin = accessMode === 'read only' ? 'begin' : 'begin immediate';
    await this.#inTurn(() => {
      this.#run(begin);
      lane.isInTransaction = true;
      lane.hasWritten = false;
    }, 'keep');
  }

  async commitTransaction(connection: DatabaseConnection, isEarly = false): Promise<void> {
    const lane = laneOf(connection);
    try {
      await this.#patiently(async () => this.#run('commit'));
    } catch (error) {
      this.#end(lane);
      throw error;
    }
    this.#end(lane);
    if (lane.hasWritten && !isEarly) await this.onDisk();
  }

  /** Rolls the transaction back. Never fails: SQLite may have done so itself. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#end(laneOf(connection));
  }

  savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#inSavepoint(connection, `savepoint ${name}`);
  }

  rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#inSavepoint(connection, `rollback to ${name}`);
  }

  releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    return this.#inSavepoint(connection, `release ${name}`);
  }

  async #inSavepoint(connection: DatabaseConnection, sql: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(sql));
  }

  /** Releases the connection, and with it a transaction that is still open. */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#end(laneOf(connection));
  }

  /** Executes one statement outside of a transaction; with `isEarly` it need not be on disk. Throws when the driver has been destroyed. */
  async execute(sql: string, parameters: readonly unknown[], isEarly = false): Promise<QueryResult<never>> {
    if (this.#isDestroyed) throw new Error('The database has been closed');
    return this.#runAlone(sql, parameters, isEarly);
  }

  async destroy(): Promise<void> {
    await this.#turns.take();
    this.#isDestroyed = true;
    this.#close();
    this.#turns.give();
  }

  async #execute(lane: SqliteLane, { sql, parameters }: CompiledQuery): Promise<QueryResult<never>> {
    if (lane.isInTransaction) {
      // After a full disk the transaction is rolled back already: later statements must not be written outside of one.
      if (this.#file?.inTransaction !== true) throw new Error('The transaction is over: it was rolled back');
      const { result, isWrite } = await this.#patiently(async () => this.#run(sql, parameters));
      lane.hasWritten ||= isWrite;
      return result;
    }
    return this.#runAlone(sql, parameters);
  }

  /** Runs a statement that is a commit of its own. */
  async #runAlone(sql: string, parameters: readonly unknown[], isEarly = false): Promise<QueryResult<never>> {
    const { result, isWrite } = await this.#inTurn(() => this.#run(sql, parameters), 'give');
    if (isWrite && !isEarly) await this.onDisk();
    return result;
  }

  /**
   * Resolves when all that has been committed is on disk. When that fails, the connection is closed: SQLite then moves what is in its log
   * into the database, and later commits do not stand behind lost ones.
   */
  async onDisk(): Promise<void> {
    try {
      await this.#options.log?.sync();
    } catch (error) {
      await this.#turns.take();
      this.#close();
      this.#turns.give();
      throw error;
    }
  }

  /** Runs the task when the connection is free. With 'keep' the caller keeps it after a success. */
  #inTurn<Value>(task: () => Value, after: 'keep' | 'give'): Promise<Value> {
    return this.#patiently(async () => {
      await this.#turns.take();
      let isKept = false;
      try {
        const value = task();
        isKept = after === 'keep';
        return value;
      } finally {
        if (!isKept) this.#turns.give();
      }
    });
  }

  /** Retries while a lock is held elsewhere; throws `DatabaseUnavailable` when it still is at the end of the wait. */
  async #patiently<Value>(task: () => Promise<Value>): Promise<Value> {
    const until = performance.now() + (this.#isStuck ? shortWaitMs : this.#options.maxWaitMs);
    for (;;) {
      try {
        return await task();
      } catch (error) {
        if (!isLocked(error)) throw sqliteError(error);
        if (performance.now() >= until) {
          this.#isStuck = true;
          throw sqliteError(error);
        }
      }
      await sleep(lockPollMs);
    }
  }

  #run(sql: string, parameters: readonly unknown[] = []): Ran {
    try {
      this.#file ??= this.#options.open();
      const statement = this.#prepared(this.#file, withoutNul(sql), parameters.length > 0);
      const result = resultOf(statement, parameters);
      const isWrite = !statement.readonly;
      if (isWrite) this.#isStuck = false;
      return { result, isWrite };
    } catch (error) {
      if (needsReopening(error)) this.#close();
      throw error;
    }
  }

  /**
   * Prepares the statement, cached while it is in use. A statement that changes tables clears the cache, since others may
   * then mean something else.
   */
  #prepared(file: SqliteFile, sql: string, isBound: boolean): Statement<unknown[], never> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = file.prepare<unknown[], never>(sql);
    if (/^\s*(?:create|alter|drop)\b/i.test(sql)) this.#statements.clear();
    else if (isBound || sql.length <= maxKeptLength) this.#statements.set(sql, statement);
    return statement;
  }

  #end(lane: SqliteLane): void {
    if (!lane.isInTransaction) return;
    lane.isInTransaction = false;
    try {
      if (this.#file?.inTransaction === true) this.#file.prepare('rollback').run();
    } catch {
      // Closing is the last way to roll back.
      this.#close();
    } finally {
      this.#turns.give();
    }
  }

  #close(): void {
    try {
      this.#file?.close();
    } catch {
      // A file that cannot even be closed is left alone.
    }
    this.#file = null;
    this.#options.log?.forget();
    this.#statements.clear();
  }
}

function resultOf(statement: Statement<unknown[], never>, parameters: readonly unknown[]): QueryResult<never> {
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}
