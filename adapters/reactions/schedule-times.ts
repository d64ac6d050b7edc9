import { Cron } from 'croner';

/** Returns the error in a schedule; null when there is none. */
export function scheduleError(pattern: string, zone: string | null): string | null {
  if (zone !== null && !isZone(zone)) return `There is no time zone \`${zone}\`; one is \`Europe/Vienna\`.`;
  if (pattern.split(/\s+/).length !== 5) return form;
  try {
    return cronOf(pattern, zone).nextRun() === null ? 'The schedule never comes.' : null;
  } catch {
    return form;
  }
}

/**
 * Returns the schedule's latest time after `from` and up to `until` (Unix ms); null when there is none. Halves the
 * period, since years of a schedule of every minute have millions of times.
 */
export function latestTime(
  { pattern, zone }: Readonly<{ pattern: string; zone: string | null }>,
  from: number,
  until: number,
): number | null {
  const cron = cronOf(pattern, zone);
  const after = (at: number): number => cron.nextRun(new Date(at))?.getTime() ?? Number.POSITIVE_INFINITY;
  let latest = after(from);
  if (latest > until) return null;
  // None is after `last` and up to `until`.
  for (let last = until; last > latest; ) {
    const middle = Math.floor((latest + last) / 2);
    const next = after(middle);
    if (next > until) last = middle;
    else latest = next;
  }
  return latest;
}

const form =
  'A schedule has five fields: minute, hour, day of the month, month, day of the week; `0 17 * * 5` is Fridays at five.';

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function cronOf(pattern: string, zone: string | null): Cron {
  return new Cron(pattern, { timezone: zone ?? 'UTC', paused: true, mode: '5-part' });
}
