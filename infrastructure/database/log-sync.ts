import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { SharedRuns } from '#infrastructure/concurrency/shared-runs.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { errorCode } from '#infrastructure/files/error-code.ts';

const syncInThread = promisify(fsync);

/** Flushes commits to disk; `SqliteDriver` calls it after each. */
export type CommitSync = Readonly<{
  /** Resolves when all commits so far are durable. Throws `DatabaseUnavailable` when that fails, then always until `forget`. */
  sync(): Promise<void>;
  /** Closes the file, which may be replaced when the database is reopened. */
  forget(): void;
}>;

/** Error codes of the file system for a full disk. */
const fullCodes: readonly (string | null)[] = ['ENOSPC', 'EDQUOT'];

/**
 * Flushes SQLite's write-ahead log in a thread, without blocking the event loop as SQLite's own fsync would at each
 * commit. Concurrent commits share one fsync. A log that does not exist needs none.
 */
export class LogSync implements CommitSync {
  readonly #path: string;
  readonly #runs = new SharedRuns(() => this.#syncNow());
  #descriptor: number | null = null;
  /** Why a sync failed since the file was opened: a later one may succeed although what was to be written is lost. */
  #failure: DatabaseUnavailable | null = null;

  /** `path` is the database's; its log is `{path}-wal`. */
  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  sync(): Promise<void> {
    return this.#runs.ask();
  }

  forget(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    this.#failure = null;
    // A sync in progress may still use it.
    if (descriptor !== null) void this.#runs.idle().then(() => closeSync(descriptor));
  }

  async #syncNow(): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    try {
      // Windows flushes only files opened for writing. Closing the log releases no SQLite lock: those are on other
      // files.
      this.#descriptor ??= openSync(this.#path, 'r+');
      await syncInThread(this.#descriptor);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return;
      const cause = error instanceof Error ? error : new Error(String(error));
      this.#failure = new DatabaseUnavailable(fullCodes.includes(code) ? 'full' : 'broken', cause);
      throw this.#failure;
    }
  }
}
