import { nowSql } from '#adapters/persistence/database-clock.ts';
import type { Clock } from '#application/ports/clock.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** How long an unused client is kept, in ms: 90 days, three times the lifetime of a token. */
const clientLifetimeMs = 90 * 86_400_000;
/** How long an expired code or an abandoned connect is kept, in ms, so that a late caller gets the specific error. */
const graceMs = 3_600_000;

/**
 * Deletes clients that were not used for 90 days, expired codes and pending connects, uses of codes whose grants have
 * ended, and rate limits whose window has ended; returns the number of rows. Without a clock, the database's time is used.
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
  const uses = await remove('code_uses where used_at', sessionLifetimeS * 1000);
  const counts = await remove('rate_limits where ends_at', 0);
  return clients + codes + uses + counts + (await remove('pending_connects where started_at', graceMs));
}
