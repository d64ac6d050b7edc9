import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ConnectionState } from '#domain/connections/connection.ts';
import { standingOf } from '#domain/connections/standing-of.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What it works with. */
export type KeepStandingParts = Readonly<{ standings: ConnectionStandings; clock: Clock; logger: Logger }>;

/** Notes how a record stands from now on, and logs it; writes nothing when it stood so before. */
export async function keepStanding(
  { standings, clock, logger }: KeepStandingParts,
  record: TokenRecord,
  { state, reason }: Readonly<{ state: ConnectionState; reason: string | null }>,
): Promise<void> {
  const { userId, service, updatedAt } = record;
  const before = await standings.find(userId, service);
  const isOfThese = before !== null && standingOf(record, before) === before;
  if (isOfThese && before.state === state && before.reason === reason) return;
  await standings.keep({ userId, service, state, reason, since: Math.max(clock.now(), updatedAt) });
  logger[state === 'connected' ? 'info' : 'warn']({ userId, service, state, reason }, 'A connection changed its state');
}
