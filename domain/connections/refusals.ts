const minute = 60_000;

/** How long credentials that were refused are left alone, in ms: after the first refusal, and after each refused probe. */
const probeAfterMs = [minute, 5 * minute, 15 * minute, 30 * minute] as const;
const usualProbeAfterMs = 30 * minute;

/** How many refused probes, over how long, tell that only the user can mend the connection. */
const maxProbes = 3;
const leastMs = 10 * minute;

/**
 * That a provider refuses credentials: since when, how many probes it has refused, and when the next one is due (Unix ms).
 * `probeAt` is null where calls are not held back, since a renewal may mend it.
 */
export type Refusals = Readonly<{ firstAt: number; probes: number; probeAt: number | null }>;

/** The refusals after another one. One that is no probe counts when a probe was due: then the call was the probe. */
export function afterRefusal(
  before: Refusals | null,
  { now, isProbe }: Readonly<{ now: number; isProbe: boolean }>,
): Refusals {
  if (before === null || before.probeAt === null) return { firstAt: now, probes: 0, probeAt: now + probeAfterMs[0] };
  const isDue = before.probeAt <= now;
  if (!isDue && !isProbe) return before;
  const probes = before.probes + 1;
  return { ...before, probes, probeAt: isDue ? now + (probeAfterMs[probes] ?? usualProbeAfterMs) : before.probeAt };
}

/** Whether the credentials have been refused so often, and for so long, that the user has to connect anew. */
export function needsUser({ firstAt, probes }: Refusals, now: number): boolean {
  return probes >= maxProbes && now - firstAt >= leastMs;
}
