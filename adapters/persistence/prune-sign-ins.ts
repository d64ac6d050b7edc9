import { raw } from '@mikro-orm/core';
import { nowSql } from '#adapters/persistence/database-clock.ts';
import { AuthorizationCodeRow } from '#adapters/persistence/schema/authorization-codes.ts';
import { ClientRow } from '#adapters/persistence/schema/clients.ts';
import { CodeUseRow } from '#adapters/persistence/schema/code-uses.ts';
import { PendingConnectRow } from '#adapters/persistence/schema/pending-connects.ts';
import { PendingSignInRow } from '#adapters/persistence/schema/pending-sign-ins.ts';
import { RateLimitRow } from '#adapters/persistence/schema/rate-limits.ts';
import type { Clock } from '#application/ports/clock.ts';
import { sessionLifetimeS } from '#domain/sessions/session.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

/** How long an unused client is kept, in ms: 90 days, three times the lifetime of a token. */
const clientLifetimeMs = 90 * 86_400_000;
/** How long an expired code or an abandoned connect is kept, in ms, so that a late caller gets the specific error. */
const graceMs = 3_600_000;

/**
 * Deletes clients that were not used for 90 days, expired codes, pending connects and sign-ins, uses of codes whose grants have
 * ended, and rate limits whose window has ended; returns the number of rows. Without a clock, the database's time is used.
 */
export async function pruneSignIns(database: Database, clock: Clock | null = null): Promise<number> {
  const em = database.em.fork();
  const now = nowSql(database.kind, clock);
  const before = (ageMs: number) => ({ $lt: raw(`${now} - ${ageMs}`) });
  return (
    (await em.nativeDelete(ClientRow, { usedAt: before(clientLifetimeMs) })) +
    (await em.nativeDelete(AuthorizationCodeRow, { expiresAt: before(graceMs) })) +
    (await em.nativeDelete(CodeUseRow, { usedAt: before(sessionLifetimeS * 1000) })) +
    (await em.nativeDelete(RateLimitRow, { endsAt: before(0) })) +
    (await em.nativeDelete(PendingConnectRow, { startedAt: before(graceMs) })) +
    (await em.nativeDelete(PendingSignInRow, { startedAt: before(graceMs) }))
  );
}
