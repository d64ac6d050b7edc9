import { closeSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/** A lock that is held until it is released or the process ends, however it ends. */
export type FileLock = Readonly<{ release(): void }>;

/** The locks that are held: an unreferenced connection would be closed by the garbage collector, and its lock released. */
const held = new Set<Sqlite.Database>();

/**
 * Takes the lock of a file, which is made where it is not there, its owner's alone, and stays there empty: a lock of the
 * system, so that a killed process leaves none behind. Throws SQLite's error when another process, or this one, holds it, and
 * Node's when the file cannot be made.
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
