const minute = 60_000;

/**
 * The waits before rejected credentials are probed, in ms: after the first rejection, and after each rejected probe.
 */
const probeAfterMs = [minute, 5 * minute, 15 * minute, 30 * minute] as const;
const usualProbeAfterMs = 30 * minute;

/** After this many rejected probes, over at least `leastMs`, the user has to connect again. */
const maxProbes = 3;
const leastMs = 10 * minute;

/**
 * Consecutive rejections of a connection's credentials by its provider: the time of the first, the number of rejected
 * probes, and when the next probe is due (Unix ms). `probeAt` is null while ordinary calls continue, because a renewal
 * may repair the connection.
 */
export type Rejections = Readonly<{ firstAt: number; probes: number; probeAt: number | null }>;

/** Counts one more rejection. The rejection of an ordinary call counts as a probe's when a probe was due. */
export function afterRejection(
  before: Rejections | null,
  { now, isProbe }: Readonly<{ now: number; isProbe: boolean }>,
): Rejections {
  if (before === null || before.probeAt === null) return { firstAt: now, probes: 0, probeAt: now + probeAfterMs[0] };
  const isDue = before.probeAt <= now;
  if (!isDue && !isProbe) return before;
  const probes = before.probes + 1;
  return { ...before, probes, probeAt: isDue ? now + (probeAfterMs[probes] ?? usualProbeAfterMs) : before.probeAt };
}

/** Whether the credentials have been rejected often enough, for long enough, that the user has to connect again. */
export function needsUser({ firstAt, probes }: Rejections, now: number): boolean {
  return probes >= maxProbes && now - firstAt >= leastMs;
}
