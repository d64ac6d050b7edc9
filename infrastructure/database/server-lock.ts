import Sqlite from 'better-sqlite3';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { isLocked } from '#infrastructure/database/sqlite-errors.ts';
import { inMemory, makePrivate } from '#infrastructure/database/sqlite-file.ts';

/** The lock of the one server of a SQLite file, held until it is released or the process ends, however it ends. */
export type ServerLock = Readonly<{ release(): void }>;

/** The locks that are held: an unreferenced connection would be closed by the garbage collector, and its lock released. */
const held = new Set<Sqlite.Database>();

/**
 * Locks the database for this server; commands run beside it without a lock. It is a lock of the system on an empty file
 * beside the database, so that a killed process leaves none behind. Several servers may share a PostgreSQL: nothing is
 * locked there. Throws `DatabaseNotOpened` when another server holds the lock.
 */
export function lockForServer(url: string): ServerLock {
  const path = url.slice('sqlite:'.length);
  if (!url.startsWith('sqlite:') || path === inMemory) return { release: () => undefined };
  try {
    const lockPath = `${path}.lock`;
    makePrivate(lockPath);
    const lock = new Sqlite(lockPath, { timeout: 0 });
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
  } catch (error) {
    const why = isLocked(error)
      ? 'another server works on it. Stop that one, or give this one a DATA_DIR of its own; several servers share a PostgreSQL (DATABASE_URL)'
      : error;
    throw new DatabaseNotOpened(url, why);
  }
}
