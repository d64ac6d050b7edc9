import { boundValue } from '#infrastructure/database/binding-sqlite.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import type { ReadRows, StatementRead } from '#infrastructure/database/read-jobs.ts';
import { sqliteError } from '#infrastructure/database/sqlite-errors.ts';
import { programModule } from '#infrastructure/program/program-files.ts';
import { JobEnded, WorkerPool } from '#infrastructure/workers/worker-pool.ts';

/** The timeout of a statement, in ms, with its wait for the thread. */
const maxReadMs = 30_000;
/** The maximum number of statements that wait for the thread. */
const maxWaiting = 32;

/** Where statements that may read a whole table run, so that others need not wait for them. */
export type ReadingAside = Readonly<{
  /** Returns the rows of a statement that only reads. Throws `DatabaseUnavailable`, also when too many wait. */
  read(sql: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  close(): Promise<void>;
}>;

/** Reads from a SQLite file in a thread, which starts on demand and ends when it was idle for half a minute. */
export class ReadingThread implements ReadingAside {
  readonly #path: string;
  readonly #check: () => void;
  readonly #pool: WorkerPool;

  /** `check` throws when the file is not the one that was opened. */
  constructor(path: string, check: () => void) {
    this.#path = path;
    this.#check = check;
    const module = programModule('infrastructure/database/read-jobs');
    this.#pool = new WorkerPool({ module, maxThreads: 1, maxJobMs: maxReadMs, maxWaiting, maxMemoryMb: 128 });
  }

  async read(sql: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    this.#check();
    const job: StatementRead = { path: this.#path, sql, values: values.map((value) => boundValue(value) ?? value) };
    const result = await this.#run(job);
    if ('rows' in result) return result.rows;
    throw sqliteError(Object.assign(new Error(result.message), { code: result.code }));
  }

  async #run(job: StatementRead): Promise<ReadRows> {
    try {
      return await this.#pool.run<ReadRows>(job);
    } catch (error) {
      throw error instanceof JobEnded ? new DatabaseUnavailable('busy', error) : error;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
