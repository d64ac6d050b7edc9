import type { ConnectionStanding } from '#domain/connections/connection.ts';
import { isReadable, type TokenRecord } from '#domain/tokens/token-record.ts';

/** A state, since when (Unix ms) and why, and its refusals, without whose it is. */
export type Standing = Pick<ConnectionStanding, 'state' | 'since' | 'reason' | 'refusals'>;

const unreadable =
  'The stored credentials cannot be opened: they were sealed with another secret than this server has now. An administrator ' +
  'can give the former one as SECRET_KEY_BASE_PREVIOUS.';

/**
 * How a record stands. One that cannot be read needs its user, whatever is kept of it. Without an entry it is as good as it looks; an entry from before the record was made tells of the
 * credentials that it replaced, so that a crash between the two writes never leaves new credentials refused.
 */
export function standingOf(
  { updatedAt, accessToken }: Pick<TokenRecord, 'updatedAt' | 'accessToken'>,
  kept: ConnectionStanding | null,
): Standing {
  if (!isReadable({ accessToken })) return { state: 'reconnect', since: updatedAt, reason: unreadable };
  const isOutdated = kept !== null && kept.state !== 'connected' && kept.since < updatedAt;
  return kept === null || isOutdated ? { state: 'connected', since: updatedAt, reason: null } : kept;
}
