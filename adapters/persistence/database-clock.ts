import type { Clock } from '#application/ports/clock.ts';
import type { DatabaseKind } from '#infrastructure/database/open-database.ts';

/**
 * An SQL expression for the current time, in Unix ms: the database's own clock, so that processes on several machines
 * agree on when a lease has expired; or the given clock, if any (tests).
 */
export function nowSql(kind: DatabaseKind, clock: Clock | null): string {
  if (clock !== null) return String(Math.trunc(clock.now()));
  return kind === 'sqlite'
    ? "cast(unixepoch('subsec') * 1000 as integer)"
    : 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';
}
