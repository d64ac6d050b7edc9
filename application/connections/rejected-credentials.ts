import { type ChangeStatusDependencies, changeStatus } from '#application/connections/change-status.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import { afterRejection, needsUser, type Rejections } from '#domain/connections/rejections.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dependencies for recording a rejection. */
type RejectedCredentialsDependencies = ChangeStatusDependencies & Readonly<{ names: ServiceNames }>;

/**
 * Records that a provider rejected a connection's credentials and returns the new status: `degraded` with probes, then
 * `reconnect` once enough probes have been rejected.
 */
export async function noteRejectedCredentials(
  dependencies: RejectedCredentialsDependencies,
  record: TokenRecord,
  { isProbe }: Readonly<{ isProbe: boolean }>,
): Promise<ConnectionStatus> {
  const { connections, clock, names } = dependencies;
  const stored = await connections.reload(record.userId, record.service);
  const before = stored?.status ?? connectedSince(record.updatedAt);
  if (before.state === 'reconnect' && before.rejections == null) return before;
  const now = clock.now();
  // Calls with renewable credentials are not suspended: the next one may renew them.
  const rejections: Rejections =
    record.refreshToken === null
      ? afterRejection(before.rejections ?? null, { now, isProbe })
      : { firstAt: before.rejections?.firstAt ?? now, probes: 0, probeAt: null };
  const state = record.refreshToken === null && needsUser(rejections, now) ? 'reconnect' : 'degraded';
  const what = record.authMethod === 'oauth' ? 'token' : 'key';
  const reason = `The ${names.of(record.service)} refused the ${what}.`;
  await changeStatus(dependencies, record, { state, reason, rejections });
  return { state, reason, rejections, since: now };
}
