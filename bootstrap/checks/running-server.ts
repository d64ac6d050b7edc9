import { z } from 'zod';
import { openReadOnly } from '#infrastructure/database/open-read-only.ts';
import { isLockedForServer } from '#infrastructure/database/server-lock.ts';

/** The name of the server fact with the address that the server listens on, as `host:port`. */
export const addressFact = 'address';

const factRows = z.array(z.object({ value: z.string().max(300) }));

/**
 * The address of the server that works on a SQLite database, as it wrote it when it began to listen: `host:port`, ''
 * when it does not say. Null when none works on it, and for PostgreSQL, which several servers share.
 */
export async function runningServer(databaseUrl: string): Promise<string | null> {
  if (!isLockedForServer(databaseUrl)) return null;
  const database = await openReadOnly(databaseUrl).catch(() => null);
  if (database === null) return '';
  try {
    const rows = await database.all(`select value from server_facts where name = '${addressFact}'`);
    return factRows.parse(rows)[0]?.value ?? '';
  } catch {
    return '';
  } finally {
    await database.close();
  }
}
