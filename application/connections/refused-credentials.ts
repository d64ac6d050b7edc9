import { type KeepStandingParts, keepStanding } from '#application/connections/keep-standing.ts';
import { afterRefusal, needsUser, type Refusals } from '#domain/connections/refusals.ts';
import { type Standing, standingOf } from '#domain/connections/standing-of.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** What it works with. */
export type RefusedCredentialsDependencies = KeepStandingParts & Readonly<{ names: ServiceNames }>;

/**
 * Notes that a provider refused a connection's credentials: degraded, and probed again, until probes have been refused for
 * long enough; then only the user can mend it. How the connection stands from now on.
 */
export async function noteRefusal(
  parts: RefusedCredentialsDependencies,
  record: TokenRecord,
  { isProbe }: Readonly<{ isProbe: boolean }>,
): Promise<Standing> {
  const { standings, clock, names } = parts;
  const before = standingOf(record, await standings.find(record.userId, record.service));
  if (before.state === 'reconnect' && before.refusals == null) return before;
  const now = clock.now();
  // What can be renewed is not held back: the next call may renew it.
  const refusals: Refusals =
    record.refreshToken === null
      ? afterRefusal(before.refusals ?? null, { now, isProbe })
      : { firstAt: before.refusals?.firstAt ?? now, probes: 0, probeAt: null };
  const state = record.refreshToken === null && needsUser(refusals, now) ? 'reconnect' : 'degraded';
  const what = record.authMethod === 'oauth' ? 'token' : 'key';
  const reason = `The ${names[record.service]} refused the ${what}.`;
  await keepStanding(parts, record, { state, reason, refusals });
  return { state, reason, refusals, since: now };
}
