import { closeSync, existsSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** A lock that is held until it is released or the process ends. */
export type FileLock = Readonly<{ release(): void }>;

/** Keeps the locks referenced: the garbage collector would close an unreferenced connection and release its lock. */
const held = new Set<Sqlite.Database>();

/**
 * Locks a file, which is created when missing (accessible to its owner only) and stays empty. The operating system
 * holds the lock, so that a killed process releases it. Throws SQLite's error when the file is locked already, by any
 * process, and Node's when it cannot be created.
 */
export function lockFile(path: string): FileLock {
  closeSync(openSync(path, 'a', 0o600));
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw error;
  }
  held.add(lock);
  return {
    release: () => {
      lock.close();
      held.delete(lock);
    },
  };
}

/** Whether a process holds the lock of a file; false when there is no file, or it cannot be opened. Changes nothing. */
export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new Sqlite(path, { readonly: true, timeout: 0 });
  try {
    database.pragma('schema_version');
    return false;
  } catch (error) {
    return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
  } finally {
    database.close();
  }
}
