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
import { z } from 'zod';
import { Mutex } from '#infrastructure/concurrency/mutex.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import type { CommitSync } from '#infrastructure/database/log-sync.ts';
import { withoutNul } from '#infrastructure/database/sql-text.ts';
import { isLocked, needsReopening, sqliteError } from '#infrastructure/database/sqlite-errors.ts';
import { laneOf, SqliteLane } from '#infrastructure/database/sqlite-lane.ts';
import type { SqlitePlace } from '#infrastructure/database/sqlite-place.ts';

/**
 * The driver's options; `maxWaitMs` is how long a statement waits for another process's lock. Without `log`, SQLite
 * itself flushes commits to disk; without `place`, the files are not compared with those that were opened.
 */
export type SqliteDriverOptions = Readonly<{
  open(): SqliteFile;
  maxWaitMs: number;
  log?: CommitSync;
  /** Asks for a checkpoint of the log; called each few hundred rows that are written. */
  checkpoint?(): void;
  place?: Pick<SqlitePlace, 'check' | 'opened' | 'isWhole' | 'trouble'>;
}>;

/** The result of a statement, and whether it writes. */
type Ran = Readonly<{ result: QueryResult<never>; isWrite: boolean }>;

/** The interval between two attempts to get a lock, in ms. */
const lockPollMs = 15;
/** How long statements wait for a lock after an earlier wait has timed out, in ms, so that they do not queue up. */
const shortWaitMs = 100;

/** How many rows are written between two checkpoints, some four pages each: fewer are not worth the start of a thread. */
const rowsOfCheckpoint = 250;

/** The maximum length of a cached statement without bound values; longer ones contain their values and do not recur. */
const maxKeptLength = 500;

/**
 * Serializes all callers on one SQLite connection and releases it after every failure. A transaction ends when any of
 * its steps fails. Nothing is run, and no write is acknowledged, while the file is not the one that was opened first.
 * Locked statements are retried here, since
 * SQLite's own wait would block the process. Transactions take the write lock when they begin: upgrading a read
 * transaction later could fail. Writes are durable when their statement or commit resolves; other statements may run in
 * the meantime.
 */
export class SqliteDriver implements Driver {
  readonly #options: SqliteDriverOptions;
  readonly #mutex = new Mutex();
  readonly #statements = new LRUCache<string, Statement<unknown[], never>>({ max: 200 });
  #file: SqliteFile | null = null;
  #isStuck = false;
  #rows = 0;
  #isDestroyed = false;

  /** Stores the options; the first statement opens the file. */
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
    await this.#exclusively(() => {
      this.#run(begin);
      lane.isInTransaction = true;
      lane.hasWritten = false;
    }, 'keep');
  }

  async commitTransaction(connection: DatabaseConnection, isEarly = false): Promise<void> {
    const lane = laneOf(connection);
    try {
      await this.#withRetries(async () => this.#run('commit'));
    } catch (error) {
      this.#end(lane);
      throw error;
    }
    this.#end(lane);
    if (lane.hasWritten && !isEarly) await this.onDisk();
  }

  /** Rolls the transaction back. Never fails: SQLite may have done so already. */
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

  /** Releases the connection and rolls back a transaction that is still open. */
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#end(laneOf(connection));
  }

  /**
   * Executes one statement outside a transaction; with `isEarly` it resolves before it is durable. Throws when the
   * driver was destroyed.
   */
  async execute(sql: string, parameters: readonly unknown[], isEarly = false): Promise<QueryResult<never>> {
    if (this.#isDestroyed) throw new Error('The database has been closed');
    return this.#runAlone(sql, parameters, isEarly);
  }

  async destroy(): Promise<void> {
    await this.#mutex.acquire();
    this.#isDestroyed = true;
    this.#close();
    this.#mutex.release();
  }

  async #execute(lane: SqliteLane, { sql, parameters }: CompiledQuery): Promise<QueryResult<never>> {
    if (lane.isInTransaction) {
      // SQLite may have rolled back already, for example on a full disk: later statements must not autocommit.
      if (this.#file?.inTransaction !== true) throw new Error('The transaction is over: it was rolled back');
      const { result, isWrite } = await this.#withRetries(async () => this.#run(sql, parameters));
      lane.hasWritten ||= isWrite;
      return result;
    }
    return this.#runAlone(sql, parameters);
  }

  /** Runs a statement outside a transaction, as a commit of its own. */
  async #runAlone(sql: string, parameters: readonly unknown[], isEarly = false): Promise<QueryResult<never>> {
    const { result, isWrite } = await this.#exclusively(() => this.#run(sql, parameters), 'release');
    if (isWrite && !isEarly) await this.onDisk();
    return result;
  }

  /**
   * Resolves when all commits are durable, in the files that others find. When that fails, the connection is closed:
   * this checkpoints the log, so that later commits do not build on lost ones.
   */
  async onDisk(): Promise<void> {
    const { log, place } = this.#options;
    try {
      await log?.sync();
    } catch (error) {
      await this.#mutex.acquire();
      this.#close();
      this.#mutex.release();
      throw error;
    }
    place?.check();
    if (place?.isWhole() === false) await this.#exclusively(() => this.#moveLogIntoFile(), 'release');
  }

  /**
   * Runs the task with exclusive use of the connection, if its file is still in its place. With 'keep', the caller keeps
   * it after a success.
   */
  #exclusively<Value>(task: () => Value, after: 'keep' | 'release'): Promise<Value> {
    return this.#withRetries(async () => {
      await this.#mutex.acquire();
      let isKept = false;
      try {
        this.#options.place?.check();
        const value = task();
        isKept = after === 'keep';
        return value;
      } finally {
        if (!isKept) this.#mutex.release();
      }
    });
  }

  /** Retries while another process holds a lock; throws `DatabaseUnavailable` after the maximum wait. */
  async #withRetries<Value>(task: () => Promise<Value>): Promise<Value> {
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
      this.#file ??= this.#open();
      const statement = this.#prepared(this.#file, withoutNul(sql), parameters.length > 0);
      const result = resultOf(statement, parameters);
      const isWrite = !statement.readonly;
      if (isWrite) {
        this.#isStuck = false;
        this.#wrote(result.rows.length + Number(result.numAffectedRows ?? 0));
      }
      return { result, isWrite };
    } catch (error) {
      if (needsReopening(error)) this.#close();
      throw error;
    }
  }

  #wrote(rows: number): void {
    this.#rows += rows;
    if (this.#rows < rowsOfCheckpoint) return;
    this.#rows = 0;
    this.#options.checkpoint?.();
  }

  #open(): SqliteFile {
    const file = this.#options.open();
    try {
      this.#options.place?.opened();
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /**
   * Writes the rows of a log that was deleted into the database, and closes the connection, so that the next statement
   * has a new log.
   */
  #moveLogIntoFile(): void {
    if (this.#file === null || this.#options.place?.isWhole() === true) return;
    checkpoint(this.#file);
    this.#close();
  }

  /** Prepares the statement, with a cache. A statement that changes the schema clears the cache. */
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
      // Closing the connection is the last resort to roll back.
      this.#close();
    } finally {
      this.#mutex.release();
    }
  }

  #close(): void {
    const file = this.#file;
    try {
      if (this.#options.place?.trouble() == null) file?.close();
      else if (file !== null) abandon(file);
    } catch {
      // Nothing more can be done about a file that cannot be closed.
    }
    this.#file = null;
    this.#options.log?.forget();
    this.#statements.clear();
  }
}

/** Files that are left open to the end of the process: closing one deletes the log at its path, which may be another's. */
const abandoned = new Set<SqliteFile>();

/** Leaves a file that is no longer in its place as it is, with all its rows in it. */
function abandon(file: SqliteFile): void {
  abandoned.add(file);
  if (file.inTransaction) file.prepare('rollback').run();
  checkpoint(file);
}

const checkpointRows = z.tuple([z.object({ busy: z.number() })]);

/** Moves all rows of the log into the database; throws `DatabaseUnavailable` while another process reads them. */
function checkpoint(file: SqliteFile): void {
  const [{ busy }] = checkpointRows.parse(file.pragma('wal_checkpoint(truncate)'));
  if (busy !== 0) throw new DatabaseUnavailable('locked', new Error('the log cannot be written into the file'));
}

function resultOf(statement: Statement<unknown[], never>, parameters: readonly unknown[]): QueryResult<never> {
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}
