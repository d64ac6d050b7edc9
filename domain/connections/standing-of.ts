import type { ConnectionStanding } from '#domain/connections/connection.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** A state, since when (Unix ms) and why, without whose it is. */
export type Standing = Pick<ConnectionStanding, 'state' | 'since' | 'reason'>;

/**
 * How a record stands. Without an entry it is as good as it looks; an entry from before the record was made tells of the
 * credentials that it replaced, so that a crash between the two writes never leaves new credentials refused.
 */
export function standingOf({ updatedAt }: Pick<TokenRecord, 'updatedAt'>, kept: ConnectionStanding | null): Standing {
  const isOutdated = kept !== null && kept.state !== 'connected' && kept.since < updatedAt;
  return kept === null || isOutdated ? { state: 'connected', since: updatedAt, reason: null } : kept;
}
