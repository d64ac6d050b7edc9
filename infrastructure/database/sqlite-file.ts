import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database as SqliteFile } from 'better-sqlite3';

/** The path of a SQLite database in memory, which ends with its process. */
export const inMemory = ':memory:';

/** The files of a database: its own, the write-ahead log and the log's index. */
const endings = ['', '-wal', '-shm'];

/** The size of the log, in pages of 4 KiB, at which it is moved into the database, for which the process waits. */
const checkpointPages = 1000;
/** The size to which the log is truncated after a long reader has let it grow, in bytes. */
const maxLogBytes = 16_777_216;

/**
 * Opens the file, which `makePrivate` made, with a write-ahead log. `SqliteDriver` waits for locks, not SQLite, and has `LogSync`
 * bring the log to the disk after each commit; where there can be no such log, SQLite itself brings each commit there. Throws
 * SQLite's errors.
 */
export function openSqliteFile(path: string): SqliteFile {
  const file = new Sqlite(path, { timeout: 0, fileMustExist: path !== inMemory });
  try {
    const mode = file.pragma('journal_mode = wal', { simple: true });
    file.pragma(`synchronous = ${mode === 'wal' ? 'normal' : 'full'}`);
    file.pragma('foreign_keys = on');
    file.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    file.pragma(`journal_size_limit = ${maxLogBytes}`);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Makes the missing folder and file, and restricts the database's files to their owner, whatever the folder's mode: they
 * hold sessions' users and sealed tokens. SQLite makes the log with the mode of the database.
 */
export function makePrivate(path: string): void {
  if (path === inMemory) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  for (const file of endings.map((ending) => path + ending)) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // The log may be gone meanwhile; a file of another user, or of a read-only disk, stays as it is.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}
