import type { Bar } from '#adapters/http/answers/bar-chart.ts';
import { shownTime } from '#adapters/http/answers/shown-time.ts';
import { hourOf, type UsageCount, type UsageKind } from '#domain/activity/usage-count.ts';

/** The sums of a period, and its parts in order: hours or days of the reader's time zone. */
export type UsagePeriod = Readonly<{ count: number; failed: number; tokens: number; bars: readonly Bar[] }>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hours = 24;
const days = 30;

/**
 * The parts of both periods, by their first hours, in order: days of the reader's time zone, then the last 24 hours. Counts
 * that are summed up for these are all that the charts need.
 */
export function usageParts(reader: Reader): readonly number[] {
  const latest = hourOf(reader.now);
  const firstHour = latest - (hours - 1) * hourMs;
  const starts = [firstHourOfDay(latest, reader)];
  while (starts.length < days) starts.push(firstHourOfDay((starts.at(-1) ?? latest) - hourMs, reader));
  const lastHours = Array.from({ length: hours }, (_, index) => firstHour + index * hourMs);
  return [...starts.filter((start) => start < firstHour).toReversed(), ...lastHours];
}

/** The first hour of the day in which an hour is. Most days have 24 hours, so that hour is looked at first. */
function firstHourOfDay(hour: number, reader: Reader): number {
  const day = dayText(hour, reader);
  const isFirst = (one: number): boolean => dayText(one, reader) === day && dayText(one - hourMs, reader) !== day;
  const usual = hour - (hours - 1) * hourMs;
  if (isFirst(usual)) return usual;
  let first = hour;
  while (!isFirst(first)) first -= hourMs;
  return first;
}

/** The last 24 hours, the present one included. */
export function lastHours(counts: readonly UsageCount[], kind: UsageKind, reader: Reader): UsagePeriod {
  const latest = hourOf(reader.now);
  const parts = Array.from({ length: hours }, (_, index) => {
    const hour = latest - (hours - 1 - index) * hourMs;
    return [String(hour), hourText(hour, reader)] as const;
  });
  return periodOf(counts, kind, { parts, partOf: String });
}

/** The last 30 days, today included. */
export function lastDays(counts: readonly UsageCount[], kind: UsageKind, reader: Reader): UsagePeriod {
  const today = Date.parse(dayText(reader.now, reader));
  const parts = Array.from({ length: days }, (_, index) => {
    const day = new Date(today - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    return [day, day] as const;
  });
  return periodOf(counts, kind, { parts, partOf: (hour) => dayText(hour, reader) });
}

/** For whom: their time zone, null for UTC, and the current time (Unix ms). */
type Reader = Readonly<{ timeZone: string | null; now: number }>;

/** How a period is divided: the keys and labels of its parts, and the key of the part that an hour belongs to. */
type Parts = Readonly<{ parts: readonly (readonly [key: string, label: string])[]; partOf: (hour: number) => string }>;

function periodOf(counts: readonly UsageCount[], kind: UsageKind, { parts, partOf }: Parts): UsagePeriod {
  const bars = new Map(parts.map(([key, label]) => [key, { label, count: 0, failed: 0 }]));
  // To find the day of an hour in a time zone costs more than all else here; an hour has several counts.
  const keys = new Map<number, string>();
  let tokens = 0;
  for (const one of counts) {
    if (one.kind !== kind) continue;
    const key = keys.get(one.hour) ?? partOf(one.hour);
    keys.set(one.hour, key);
    const bar = bars.get(key);
    if (bar === undefined) continue;
    bars.set(key, { ...bar, count: bar.count + one.count, failed: bar.failed + one.failed });
    tokens += one.tokens;
  }
  const all = [...bars.values()];
  const sum = (member: 'count' | 'failed'): number => all.reduce((total, bar) => total + bar[member], 0);
  return { count: sum('count'), failed: sum('failed'), tokens, bars: all };
}

function hourText(at: number, { timeZone }: Reader): string {
  return shownTime(at, timeZone).text.slice(11, 16);
}

function dayText(at: number, { timeZone }: Reader): string {
  return shownTime(at, timeZone).text.slice(0, 10);
}
