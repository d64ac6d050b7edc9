import { type Day, utcMidnight, type Weeks, weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';

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

/** The names of periodic notes: the notes app's defaults, at the root of the vault. */
export const periodicNames: Readonly<Record<Period, string>> = {
  daily: '{YYYY}-{MM}-{DD}.md',
  weekly: '{gggg}-W{ww}.md',
  monthly: '{YYYY}-{MM}.md',
  quarterly: '{YYYY}-Q{Q}.md',
  yearly: '{YYYY}.md',
};

/** Fills a pattern such as `Journal/{YYYY}-{MM}-{DD}.md` for the period that a day lies in. */
export function periodicPath(pattern: string, day: Day, weeks: Weeks): string {
  const { year, week } = weekOfYear(day, weeks);
  const parts: Readonly<Record<string, string>> = {
    YYYY: padded(day.year, 4),
    MM: padded(day.month, 2),
    DD: padded(day.day, 2),
    Q: String(Math.ceil(day.month / 3)),
    gggg: padded(year, 4),
    ww: padded(week, 2),
  };
  return pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => own(parts, name) ?? whole);
}

/** The path of a day's periodic note in the team's vault, where each period has its own folder: `Daily/2026-03-31.md`. */
export const periodicNotePath = (period: Period, day: Day, weeks: Weeks): string =>
  `${period.charAt(0).toUpperCase()}${period.slice(1)}/${periodicPath(periodicNames[period], day, weeks)}`;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');
