import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { SharedRuns } from '#infrastructure/concurrency/shared-runs.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { errorCode } from '#infrastructure/files/error-code.ts';

const syncInThread = promisify(fsync);

/** How commits are brought to the disk: `SqliteDriver` asks for it after each. */
export type CommitSync = Readonly<{
  /** Resolves when all commits so far are on disk. Throws `DatabaseUnavailable` when that fails. */
  sync(): Promise<void>;
  /** Forgets the file, which may be another one when the database is opened anew. */
  forget(): void;
}>;

/** The file system's errors that say that there is no room left. */
const fullCodes: readonly (string | null)[] = ['ENOSPC', 'EDQUOT'];

/**
 * Brings SQLite's write-ahead log to the disk in a thread, while the event loop goes on: SQLite itself would hold up the loop at
 * each commit. Commits that come together share one fsync. A log that is not there has nothing to be brought to the disk.
 */
export class LogSync implements CommitSync {
  readonly #path: string;
  readonly #runs = new SharedRuns(() => this.#syncNow());
  #descriptor: number | null = null;

  /** `path` is the database's; its log stands beside it. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  sync(): Promise<void> {
    return this.#runs.ask();
  }

  forget(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    // A thread may be using it.
    if (descriptor !== null) void this.#runs.idle().then(() => closeSync(descriptor));
  }

  async #syncNow(): Promise<void> {
    try {
      // Windows flushes only files that may be written. Closing it takes no lock from SQLite, whose locks are on other files.
      this.#descriptor ??= openSync(this.#path, 'r+');
      await syncInThread(this.#descriptor);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return;
      const cause = error instanceof Error ? error : new Error(String(error));
      throw new DatabaseUnavailable(fullCodes.includes(code) ? 'full' : 'broken', cause);
    }
  }
}
