import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { isLocked } from '#infrastructure/database/sqlite-errors.ts';
import { inMemory, makePrivate } from '#infrastructure/database/sqlite-file.ts';
import { type FileLock, isFileLocked, lockFile } from '#infrastructure/files/file-lock.ts';

/** Whether a server holds the lock of a SQLite database; false for PostgreSQL. Changes nothing. */
export function isLockedForServer(url: string): boolean {
  const path = url.slice('sqlite:'.length);
  return url.startsWith('sqlite:') && path !== inMemory && isFileLocked(`${path}.lock`);
}

/**
 * Locks a SQLite database for this server; commands may still use it. The lock is held by the operating system on a
 * file beside the database, so that a killed process releases it. PostgreSQL may be shared by several servers and is
 * not locked. Throws `DatabaseNotOpened` when another server holds the lock.
 */
export function lockForServer(url: string): FileLock {
  const path = url.slice('sqlite:'.length);
  if (!url.startsWith('sqlite:') || path === inMemory) return { release: () => undefined };
  try {
    const lockPath = `${path}.lock`;
    makePrivate(lockPath);
    return lockFile(lockPath);
  } catch (error) {
    const why = isLocked(error)
      ? 'another server works on it. Stop that one, or give this one a DATA_DIR of its own; several servers share a PostgreSQL (DATABASE_URL)'
      : error;
    throw new DatabaseNotOpened(url, why);
  }
}
