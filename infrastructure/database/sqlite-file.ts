import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database as SqliteFile } from 'better-sqlite3';

/** The path of an in-memory SQLite database. */
export const inMemory = ':memory:';

/** The suffixes of a database's files: the database, its write-ahead log, and the log's index. */
const endings = ['', '-wal', '-shm'];

/** The size of the write-ahead log, in pages of 4 KiB, that triggers a checkpoint, which blocks the process. */
const checkpointPages = 1000;
/** The same where a thread makes checkpoints (`LogCheckpoints`), for what it has left: it cannot begin the log again while others write. */
export const pagesBesideThread = 4000;
/** The size to which the log is truncated after a checkpoint, in bytes; a long-running reader can make it grow. */
const maxLogBytes = 16_777_216;
/** The size of SQLite's page cache, in KiB, where the driver would let it grow to 16 MiB: a page that is not in it comes from the system's cache. */
const pageCacheKib = 4_096;

/**
 * Opens a file created by `makePrivate` in WAL mode. `SqliteDriver` waits for locks instead of SQLite, and `LogSync`
 * flushes the log after each commit; without WAL, SQLite flushes each commit itself. A log of `pages` is written into the
 * file. Throws SQLite's errors.
 */
export function openSqliteFile(path: string, pages = checkpointPages): SqliteFile {
  const file = new Sqlite(path, { timeout: 0, fileMustExist: path !== inMemory });
  try {
    const mode = file.pragma('journal_mode = wal', { simple: true });
    file.pragma(`synchronous = ${mode === 'wal' ? 'normal' : 'full'}`);
    file.pragma('foreign_keys = on');
    file.pragma(`wal_autocheckpoint = ${pages}`);
    // A number below zero is of KiB, one above of pages.
    file.pragma(`cache_size = -${pageCacheKib}`);
    file.pragma(`journal_size_limit = ${maxLogBytes}`);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Creates the missing folder and file, and restricts the database's files to their owner, whatever the folder's mode,
 * since they hold session data and encrypted tokens. SQLite creates the log with the mode of the database.
 */
export function makePrivate(path: string): void {
  if (path === inMemory) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  for (const file of endings.map((ending) => path + ending)) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // The log may have been removed in the meantime; files that cannot be changed (another owner, read-only disk) are
      // left alone.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}
