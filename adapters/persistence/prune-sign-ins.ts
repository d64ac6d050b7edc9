import { nowSql } from '#adapters/persistence/database-clock.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** How long a client is kept that is not used, in ms: 90 days, three times the life of a token. */
const clientLifetimeMs = 90 * 86_400_000;
/** How long a code is kept once it has expired, and a connect once it was begun, in ms: who comes late learns why. */
const graceMs = 3_600_000;

/**
 * Removes the clients that were not used for 90 days, the codes and pending connects that are over, and the counts
 * of rate limits whose window is over; returns how many rows that were. Without a clock the database's time counts.
 */
export async function pruneSignIns(database: Database, clock: Clock | null = null): Promise<number> {
  const now = nowSql(database.kind, clock);
  const remove = async (over: string, ageMs: number): Promise<number> => {
    const rows: readonly unknown[] = await database.em
      .fork()
      .execute(`delete from ${over} < ${now} - ${ageMs} returning 1`);
    return rows.length;
  };
  const clients = await remove('clients where used_at', clientLifetimeMs);
  const codes = await remove('authorization_codes where expires_at', graceMs);
  const counts = await remove('rate_limits where ends_at', 0);
  return clients + codes + counts + (await remove('pending_connects where started_at', graceMs));
}
