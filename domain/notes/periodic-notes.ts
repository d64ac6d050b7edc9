import { type Day, utcMidnight, type Weeks, weekOfYear } from '#domain/notes/week-of-year.ts';

/** The five kinds of periodic notes (VAULT-002). */
export const periods = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;

/** One of the five. */
export type Period = (typeof periods)[number];

/** Finds a period by name, or null. */
export const findPeriod = (name: string): Period | null => periods.find((period) => period === name) ?? null;

/** Parses a day from three numbers; null when the calendar has no such day. Years range from 1 to 9999. */
export function readDay(year: string, month: string, day: string): Day | null {
  if (![year, month, day].every((part) => /^\d{1,4}$/.test(part))) return null;
  return dayOf(Number(year), Number(month), Number(day));
}

/** The day with that date; null when the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): Day | null {
  const date = new Date(utcMidnight({ year, month, day }));
  const isReal = date.getUTCMonth() + 1 === month && date.getUTCDate() === day && year > 0;
  return isReal ? { year, month, day } : null;
}

/**
 * The path of the periodic note for a day. Names are the defaults of the notes app: `YYYY-MM-DD`, `gggg-[W]ww`,
 * `YYYY-MM`, `YYYY-[Q]Q`, `YYYY`. Each period has its own folder.
 */
export function periodicNotePath(period: Period, day: Day, weeks: Weeks): string {
  const year = String(day.year).padStart(4, '0');
  const month = twoDigits(day.month);
  switch (period) {
    case 'daily':
      return `Daily/${year}-${month}-${twoDigits(day.day)}.md`;
    case 'weekly':
      return `Weekly/${weekName(day, weeks)}.md`;
    case 'monthly':
      return `Monthly/${year}-${month}.md`;
    case 'quarterly':
      return `Quarterly/${year}-Q${Math.ceil(day.month / 3)}.md`;
    case 'yearly':
      return `Yearly/${year}.md`;
  }
}

/** `gggg-[W]ww`. */
function weekName(day: Day, weeks: Weeks): string {
  const { year, week } = weekOfYear(day, weeks);
  return `${String(year).padStart(4, '0')}-W${twoDigits(week)}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
