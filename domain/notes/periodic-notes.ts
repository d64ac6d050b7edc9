import { dayTokens, formatted } from '#domain/notes/moment-format.ts';
import { isNote, type PathFailure, vaultPathOf } from '#domain/notes/vault-path.ts';
import { type Day, utcMidnight, type Weeks, weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

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

/**
 * Where the notes of a period are and how they are named: a folder (the root of the vault is empty), the format of the
 * name (`YYYY-MM-DD`), and the note that a new one begins as, null for none.
 */
export type PeriodicPlace = Readonly<{ folder: string; format: string; template: string | null }>;

/** The formats of the names that the notes app has unless it is configured. */
export const usualFormats: Readonly<Record<Period, string>> = {
  daily: 'YYYY-MM-DD',
  weekly: 'gggg-[W]ww',
  monthly: 'YYYY-MM',
  quarterly: 'YYYY-[Q]Q',
  yearly: 'YYYY',
};

/** The name of a day's periodic note as the notes app has it unless it is configured: `2026-03-31.md`. */
export const periodicName = (period: Period, day: Day, weeks: Weeks): string =>
  periodicPath(periodicNames[period], day, weeks);

/** The path of a day's periodic note in a vault without configuration, which has a folder for each period: `Daily/2026-03-31.md`. */
export const usualPeriodicPath = (period: Period, day: Day, weeks: Weeks): string =>
  `${period.charAt(0).toUpperCase()}${period.slice(1)}/${periodicName(period, day, weeks)}`;

/** The maximum length of a format, in characters. */
const maxFormat = 200;

/** The path of a day's periodic note at a place; the failure says what is wrong with the place. */
export function periodicNotePath({ folder, format }: PeriodicPlace, day: Day, weeks: Weeks): Result<string, string> {
  if (format.length > maxFormat) return err(`the format has more than ${maxFormat} characters`);
  const name = formatted(format, dayTokens(day, weeks));
  if (!name.ok) return err(`the format "${format}" has "${name.failure}", which is no part of a date`);
  return notePathIn(folder === '' ? name.value : `${folder}/${name.value}`);
}

/** The path of a note that the configuration names, with or without its ending; the failure says why it is not used. */
export function notePathIn(given: string): Result<string, string> {
  const place = vaultPathOf(isNote(given) ? given : `${given}.md`);
  if (place.ok && !given.endsWith('/')) return ok(place.value.path);
  return err(`"${given}" ${place.ok ? 'is the path of a folder' : faults[place.failure.reason]}`);
}

const faults: Readonly<Record<PathFailure['reason'], string>> = {
  outside: 'leads out of the vault',
  hidden: 'has a name that begins with a dot',
  blank_name: 'has a blank name',
  unusable_name: 'has a name that this system cannot store',
};

const padded = (value: number, length: number): string => String(value).padStart(length, '0');
