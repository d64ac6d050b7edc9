import { DatabaseUnavailable, type UnavailableReason } from '#infrastructure/database/database-unavailable.ts';

/** Maps each primary result code that does not concern the statement to its reason (sqlite.org, Result Codes). */
const reasons: ReadonlyMap<string, UnavailableReason> = new Map([
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_PROTOCOL', 'locked'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_PERM', 'read_only'],
  ['SQLITE_CANTOPEN', 'unreachable'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
  ['SQLITE_IOERR', 'broken'],
  ['SQLITE_NOLFS', 'broken'],
  ['SQLITE_NOMEM', 'broken'],
] as const);

/** Converts a SQLite error to `DatabaseUnavailable`; errors that concern the statement are returned unchanged. */
export function sqliteError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const reason = reasonOf(error);
  return reason === null || !(error instanceof Error) ? error : new DatabaseUnavailable(reason, error);
}

/** Whether another connection holds a lock, so that a retry may succeed. */
export function isLocked(error: unknown): boolean {
  return reasonOf(error) === 'locked';
}

/** Whether the connection itself may be broken because its file was moved or replaced. */
export function needsReopening(error: unknown): boolean {
  const reason = reasonOf(error);
  return reason === 'broken' || reason === 'damaged' || reason === 'read_only' || reason === 'unreachable';
}

function reasonOf(error: unknown): UnavailableReason | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  // Extended result codes have the primary one as a prefix: SQLITE_IOERR_WRITE.
  const [primary = ''] = /^SQLITE_[A-Z]+/.exec(error.code) ?? [];
  return reasons.get(primary) ?? null;
}
