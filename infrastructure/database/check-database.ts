import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { inMemory } from '#infrastructure/database/sqlite-file.ts';

/** Runs one statement and returns its rows. */
export type Ask = (sql: string) => Promise<readonly unknown[]>;

/**
 * The minimum free space of a SQLite database, in bytes, below which it is reported as full; enough for a batch of
 * deliveries.
 */
const minRoomBytes = 1_048_576;

const stateRows = z.tuple([z.object({ room: z.number(), version: z.number() })]);
const readOnlyRows = z.tuple([z.object({ transaction_read_only: z.string() })]);

/**
 * Checks that a SQLite database is writable: that it has free space, and by writing a page. Throws
 * `DatabaseUnavailable` when it is not.
 */
export async function checkSqlite(path: string, ask: Ask): Promise<void> {
  const rows = await ask(
    `select (max_page_count - page_count + freelist_count) * page_size as room, user_version as version
     from pragma_max_page_count, pragma_page_count, pragma_freelist_count, pragma_page_size, pragma_user_version`,
  );
  const [{ room, version }] = stateRows.parse(rows);
  const left = Math.min(room, path === inMemory ? Number.POSITIVE_INFINITY : await roomOnDisk(path));
  if (left < minRoomBytes) throw new DatabaseUnavailable('full', new Error(`${left} bytes are left`));
  // `user_version` is a number in the file header that nothing else uses.
  await ask(`pragma user_version = ${version === 1 ? 2 : 1}`);
}

async function roomOnDisk(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

/** Checks that a PostgreSQL server responds and accepts writes. Throws `DatabaseUnavailable` when it does not. */
export async function checkPostgres(ask: Ask): Promise<void> {
  const [{ transaction_read_only: isReadOnly }] = readOnlyRows.parse(await ask('show transaction_read_only'));
  if (isReadOnly === 'on') throw new DatabaseUnavailable('read_only', new Error('its transactions only read'));
}
