import { type ChangeStatusDependencies, changeStatus } from '#application/connections/change-status.ts';
import { type ConnectionStatus, connectedSince } from '#domain/connections/connection-status.ts';
import { afterRefusal, needsUser, type Refusals } from '#domain/connections/refusals.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The dependencies of recording a rejection. */
export type RefusedCredentialsDependencies = ChangeStatusDependencies & Readonly<{ names: ServiceNames }>;

/**
 * Records that a provider rejected a connection's credentials: degraded, and probed, until probes have been rejected
 * for long enough; then only the user can repair it. Returns the new status.
 */
export async function noteRefusal(
  dependencies: RefusedCredentialsDependencies,
  record: TokenRecord,
  { isProbe }: Readonly<{ isProbe: boolean }>,
): Promise<ConnectionStatus> {
  const { connections, clock, names } = dependencies;
  const stored = await connections.reload(record.userId, record.service);
  const before = stored?.status ?? connectedSince(record.updatedAt);
  if (before.state === 'reconnect' && before.refusals == null) return before;
  const now = clock.now();
  // Renewable credentials are not held back: the next call may renew them.
  const refusals: Refusals =
    record.refreshToken === null
      ? afterRefusal(before.refusals ?? null, { now, isProbe })
      : { firstAt: before.refusals?.firstAt ?? now, probes: 0, probeAt: null };
  const state = record.refreshToken === null && needsUser(refusals, now) ? 'reconnect' : 'degraded';
  const what = record.authMethod === 'oauth' ? 'token' : 'key';
  const reason = `The ${names.of(record.service)} refused the ${what}.`;
  await changeStatus(dependencies, record, { state, reason, refusals });
  return { state, reason, refusals, since: now };
}
