/** A calendar day; month 1 to 12. */
export type Day = Readonly<{ year: number; month: number; day: number }>;

const dayMs = 86_400_000;

/**
 * The week numbering scheme: `sunday` starts weeks on Sunday, with 1 January in week 1, as notes apps do in English;
 * `iso` starts them on Monday, with 4 January in week 1 (ISO 8601).
 */
export type Weeks = 'sunday' | 'iso';

/** Returns a day's week, and the year to which that week belongs. */
export function weekOfYear(day: Day, weeks: Weeks = 'sunday'): Readonly<{ year: number; week: number }> {
  if (weeks === 'iso') return isoWeekOf(day);
  const midnight = utcMidnight(day);
  const saturday = new Date(midnight + (6 - new Date(midnight).getUTCDay()) * dayMs);
  const year = saturday.getUTCFullYear();
  const week = Math.floor((saturday.getTime() - utcMidnight({ year, month: 1, day: 1 })) / dayMs / 7) + 1;
  return { year, week };
}

/** Returns a day's ISO week, which belongs to the year of its Thursday. */
function isoWeekOf(day: Day): Readonly<{ year: number; week: number }> {
  const midnight = utcMidnight(day);
  const thursday = new Date(midnight + (3 - ((new Date(midnight).getUTCDay() + 6) % 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - utcMidnight({ year, month: 1, day: 1 })) / dayMs / 7) + 1;
  return { year, week };
}

/** Returns midnight UTC of a day in Unix ms, without mapping the years 0 to 99 to 1900–1999 as `Date.UTC` does. */
export function utcMidnight({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

/** Returns the day at `now` (Unix ms) in the server's time zone. */
export function localDay(now: number): Day {
  const date = new Date(now);
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}
