import { weekOfYear } from '#domain/notes/week-of-year.ts';

const names = {
  day: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  month: 'January February March April May June July August September October November December'.split(' '),
} as const;

/**
 * Formats a time by a strftime pattern: %Y %m %d %H %M %S %y %e %j %A %a %B %b %u %F %T, and %G-W%V for the ISO 8601
 * week. Other characters are kept.
 */
export function formattedTime(at: Date, pattern: string, zone: string): string {
  const parts = partsIn(at, zone);
  const { year, month, day, hour, minute, second } = parts;
  const iso = weekOfYear({ year, month, day }, 'iso');
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const dayOfYear = Math.round((Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  const two = (value: number) => String(value).padStart(2, '0');
  const signs: Readonly<Record<string, string>> = {
    Y: String(year),
    y: two(year % 100),
    m: two(month),
    d: two(day),
    e: String(day),
    H: two(hour),
    M: two(minute),
    S: two(second),
    j: String(dayOfYear).padStart(3, '0'),
    A: names.day[weekday] ?? '',
    a: (names.day[weekday] ?? '').slice(0, 3),
    B: names.month[month - 1] ?? '',
    b: (names.month[month - 1] ?? '').slice(0, 3),
    u: String(weekday === 0 ? 7 : weekday),
    G: String(iso.year),
    V: two(iso.week),
    F: `${year}-${two(month)}-${two(day)}`,
    T: `${two(hour)}:${two(minute)}:${two(second)}`,
    '%': '%',
  };
  return pattern
    .slice(0, 200)
    .replace(/%([A-Za-z%])/g, (found, sign: string) => (Object.hasOwn(signs, sign) ? (signs[sign] ?? '') : found));
}

function partsIn(at: Date, zone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const found = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => found.get(type) ?? 0;
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  };
}
