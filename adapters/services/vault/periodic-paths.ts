import { vaultExtra } from '#adapters/services/vault/extra.ts';
import { type Day, weekOfYear } from '#domain/notes/week-of-year.ts';
import { own } from '#domain/shared/own.ts';

/** The kinds of periodic notes (contract, Outbound: vault). */
export type Period = 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** Where the notes app keeps periodic notes when its owner has set nothing: at the top of the vault. */
const defaults: Readonly<Record<Period, string>> = {
  daily: '{YYYY}-{MM}-{DD}.md',
  weekly: '{gggg}-W{ww}.md',
  monthly: '{YYYY}-{MM}.md',
  quarterly: '{YYYY}-Q{Q}.md',
  yearly: '{YYYY}.md',
};

/** The path of the note of the period that the day lies in: by the connection's `extra.periodic`, else as the notes app's defaults have it. */
export function periodicPath(period: Period, day: Day, extra: Readonly<Record<string, unknown>>): string {
  const set = vaultExtra.safeParse(extra);
  const pattern = (set.success ? set.data.periodic?.[period] : undefined) ?? defaults[period];
  const { year, week } = weekOfYear(day);
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

const padded = (value: number, length: number): string => String(value).padStart(length, '0');
