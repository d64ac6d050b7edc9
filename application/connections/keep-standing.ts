import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionStandings } from '#application/ports/connection-standings.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ConnectionState } from '#domain/connections/connection.ts';
import type { Refusals } from '#domain/connections/refusals.ts';
import { standingOf } from '#domain/connections/standing-of.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What it works with. */
export type KeepStandingParts = Readonly<{ standings: ConnectionStandings; clock: Clock; logger: Logger }>;

/** Notes how a record stands from now on, and logs it; writes nothing when it stood so before. */
export async function keepStanding(
  { standings, clock, logger }: KeepStandingParts,
  record: TokenRecord,
  { state, reason, refusals }: Readonly<{ state: ConnectionState; reason: string | null; refusals?: Refusals }>,
): Promise<void> {
  const { userId, service, updatedAt } = record;
  const before = await standings.find(userId, service);
  const isOfThese = before !== null && standingOf(record, before) === before;
  const isSame = isOfThese && before.state === state && before.reason === reason;
  if (isSame && refusals === undefined && before.refusals == null) return;
  const since = isSame ? before.since : Math.max(clock.now(), updatedAt);
  await standings.keep({ userId, service, state, reason, since, ...(refusals === undefined ? {} : { refusals }) });
  if (isSame) return;
  logger[state === 'connected' ? 'info' : 'warn']({ userId, service, state, reason }, 'A connection changed its state');
}
