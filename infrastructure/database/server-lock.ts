import Sqlite from 'better-sqlite3';
import { DatabaseNotOpened } from '#infrastructure/database/database-not-opened.ts';
import { isLocked } from '#infrastructure/database/sqlite-errors.ts';
import { inMemory, makePrivate } from '#infrastructure/database/sqlite-file.ts';

/** Held by the one server of a SQLite file, until it is released or the process ends, however it ends. */
export type ServerLock = Readonly<{ release(): void }>;

/** What is held. A connection that nobody refers to would be closed by the garbage collector, and its lock be gone. */
const held = new Set<Sqlite.Database>();

/**
 * Takes the lock that says that a server works on this database; commands work beside it without one. It is a lock of the
 * system on an empty file beside the database, so that none is left behind by a process that was killed. Several servers may
 * share a PostgreSQL: there nothing is locked. Throws `DatabaseNotOpened` when another server has it.
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
