const minute = 60_000;

/**
 * The waits before rejected credentials are probed, in ms: after the first rejection, and after each rejected probe.
 */
const probeAfterMs = [minute, 5 * minute, 15 * minute, 30 * minute] as const;
const usualProbeAfterMs = 30 * minute;

/** How many rejected probes, over what time at the least, mean that only the user can repair the connection. */
const maxProbes = 3;
const leastMs = 10 * minute;

/**
 * The rejections of a connection's credentials by its provider: since when, how many probes were rejected, and when the
 * next probe is due (Unix ms). `probeAt` is null where calls go on, since a renewal may repair the connection.
 */
export type Rejections = Readonly<{ firstAt: number; probes: number; probeAt: number | null }>;

/** Counts one more rejection. That of an ordinary call counts as a probe's when a probe was due. */
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

/** Whether the credentials have been rejected so often, and for so long, that the user has to connect again. */
export function needsUser({ firstAt, probes }: Rejections, now: number): boolean {
  return probes >= maxProbes && now - firstAt >= leastMs;
}
