const dayMs = 86_400_000;

/** Whether the runtime knows the name as an IANA time zone. Offsets such as '+01:00' are rejected. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Returns the start of a day ('2026-11-22') in a time zone, and the start of the next day, both Unix ms; null for text
 * that is not a day. Days of 23 and 25 hours are respected.
 */
export function dayIn(day: string, timeZone: string): Readonly<{ from: number; until: number }> | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  return { from: startIn(midnight, timeZone), until: startIn(midnight + dayMs, timeZone) };
}

/** Returns the moment at which the zone's local time equals the UTC time at `wall`. */
function startIn(wall: number, timeZone: string): number {
  const first = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(first, timeZone);
}

/** Returns the zone's offset from UTC at a moment, in ms. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const at = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => at.get(type) ?? 0;
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(time / 1000) * 1000;
}
