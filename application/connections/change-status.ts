import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import type { Rejections } from '#domain/connections/rejections.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dependencies of a status change. */
export type ChangeStatusDependencies = Readonly<{ connections: Connections; clock: Clock; logger: Logger }>;

/**
 * Stores a connection's new status and logs it; writes nothing when the status is unchanged, or the connection was
 * removed.
 */
export async function changeStatus(
  { connections, clock, logger }: ChangeStatusDependencies,
  { userId, service, updatedAt }: TokenRecord,
  { state, reason, rejections }: Readonly<{ state: ConnectionState; reason: string | null; rejections?: Rejections }>,
): Promise<void> {
  const before = (await connections.reload(userId, service))?.status;
  if (before === undefined) return;
  const isSame = before.state === state && before.reason === reason;
  if (isSame && rejections === undefined && before.rejections == null) return;
  const since = isSame ? before.since : Math.max(clock.now(), updatedAt);
  const status = { state, reason, since, ...(rejections === undefined ? {} : { rejections }) };
  const isThere = await connections.changeStatus({ userId, service }, status);
  if (isThere && !isSame) logChange(logger, { userId, service, state, reason });
}

/** Logs the new status of a connection. */
export function logChange(
  logger: Logger,
  change: Readonly<{ userId: number; service: string; state: ConnectionState; reason: string | null }>,
): void {
  logger[change.state === 'connected' ? 'info' : 'warn']({ ...change }, 'A connection changed its status');
}
