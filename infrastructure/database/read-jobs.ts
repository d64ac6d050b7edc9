import Sqlite from 'better-sqlite3';

/** A statement that reads, on the SQLite file at this path. */
export type StatementRead = Readonly<{ path: string; sql: string; values: readonly unknown[] }>;

/** Its rows, or SQLite's error: an error that is thrown loses its code on the way out of the thread. */
export type ReadRows = Readonly<{ rows: readonly unknown[] }> | Readonly<{ code: string; message: string }>;

/** How long the statement waits for a lock, in ms: writers block no reader, but for moments. */
const maxLockWaitMs = 2_000;

/**
 * The size of the statement's page cache, in KiB: a page is read once for it, and to fill the 16 MiB of the driver takes longer than to
 * read 20,000 deliveries.
 */
const pageCacheKib = 1_024;

/**
 * Runs one statement in a thread, on a connection of its own that cannot write and is closed afterwards: a file that was
 * replaced is not held. The job null does nothing.
 */
export default function read(job: StatementRead | null): ReadRows {
  if (job === null) return { rows: [] };
  try {
    return { rows: rowsOf(job) };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return { code: error.code, message: error.message };
    throw error;
  }
}

function rowsOf({ path, sql, values }: StatementRead): readonly unknown[] {
  const file = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: maxLockWaitMs });
  try {
    file.pragma(`cache_size = -${pageCacheKib}`);
    return file.prepare(sql).all(...values);
  } finally {
    file.close();
  }
}
