import { storedFact } from '#bootstrap/checks/stored-rows.ts';
import { openReadOnly } from '#infrastructure/database/open-read-only.ts';
import { isLockedForServer } from '#infrastructure/database/server-lock.ts';

/** The name of the server fact with the address that the server listens on, as `host:port`. */
export const addressFact = 'address';

/**
 * The address of the server that works on a SQLite database, as it wrote it when it began to listen: `host:port`, ''
 * when it does not say. Null when none works on it, and for PostgreSQL, which several servers share.
 */
export async function runningServer(databaseUrl: string): Promise<string | null> {
  if (!isLockedForServer(databaseUrl)) return null;
  const database = await openReadOnly(databaseUrl).catch(() => null);
  if (database === null) return '';
  try {
    return (await storedFact(database, addressFact)) ?? '';
  } catch {
    return '';
  } finally {
    await database.close();
  }
}
