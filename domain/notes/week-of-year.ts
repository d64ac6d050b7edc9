/** A day of the calendar; month 1 to 12. */
export type Day = Readonly<{ year: number; month: number; day: number }>;

const dayMs = 86_400_000;

/** How weeks are counted: from Sunday, week 1 having 1 January, as notes apps do in English; or from Monday, week 1 having 4 January (ISO 8601). */
export type Weeks = 'sunday' | 'iso';

/** The week that the day lies in. */
export function weekOfYear(day: Day, weeks: Weeks = 'sunday'): Readonly<{ year: number; week: number }> {
  if (weeks === 'iso') return isoWeekOf(day);
  const midnight = utcMidnight(day);
  const saturday = new Date(midnight + (6 - new Date(midnight).getUTCDay()) * dayMs);
  const year = saturday.getUTCFullYear();
  const week = Math.floor((saturday.getTime() - utcMidnight({ year, month: 1, day: 1 })) / dayMs / 7) + 1;
  return { year, week };
}

/** A week belongs to the year of its Thursday. */
function isoWeekOf(day: Day): Readonly<{ year: number; week: number }> {
  const midnight = utcMidnight(day);
  const thursday = new Date(midnight + (3 - ((new Date(midnight).getUTCDay() + 6) % 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - utcMidnight({ year, month: 1, day: 1 })) / dayMs / 7) + 1;
  return { year, week };
}

/** Midnight in UTC (Unix ms); the years 1 to 99 are meant as they are. */
export function utcMidnight({ year, month, day }: Day): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

/** The day at that time (Unix ms), where this machine is. */
export function localDay(now: number): Day {
  const date = new Date(now);
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}
