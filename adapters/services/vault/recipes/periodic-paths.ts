import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { type Day, type Weeks, weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';

/** The kinds of periodic notes (VAULT-002). */
export type Period = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** The notes app's default paths of periodic notes: at the root of the vault. */
const defaults: Readonly<Record<Period, string>> = {
  daily: '{YYYY}-{MM}-{DD}.md',
  weekly: '{gggg}-W{ww}.md',
  monthly: '{YYYY}-{MM}.md',
  quarterly: '{YYYY}-Q{Q}.md',
  yearly: '{YYYY}.md',
};

/** The path pattern in the connection's `extra.periodic` for a period; null when there is none. */
export function setPattern(period: Period, extra: Readonly<Record<string, unknown>>): string | null {
  const set = vaultExtra.safeParse(extra);
  return (set.success ? set.data.periodic?.[period] : undefined) ?? null;
}

/** The path of a day's periodic note by a pattern, or by the notes app's default. */
export function periodicPath(
  period: Period,
  day: Day,
  { weeks, pattern }: Readonly<{ weeks: Weeks; pattern: string | null }>,
): string {
  const { year, week } = weekOfYear(day, weeks);
  const parts: Readonly<Record<string, string>> = {
    YYYY: padded(day.year, 4),
    MM: padded(day.month, 2),
    DD: padded(day.day, 2),
    Q: String(Math.ceil(day.month / 3)),
    gggg: padded(year, 4),
    ww: padded(week, 2),
  };
  return (pattern ?? defaults[period]).replaceAll(/\{(\w+)\}/g, (whole, name: string) => own(parts, name) ?? whole);
}

const padded = (value: number, length: number): string => String(value).padStart(length, '0');
