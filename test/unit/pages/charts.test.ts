import { describe, expect, it } from 'vitest';
import { barChart } from '#adapters/http/answers/bar-chart.ts';
import { lastDays, lastHours, usageParts } from '#adapters/http/home/usage-periods.ts';
import type { UsageCount } from '#domain/activity/usage-count.ts';

const hourMs = 3_600_000;
/** 2026-03-29 22:30 UTC: half past midnight of the next day in Berlin, on the day after the clocks went forward. */
const now = Date.UTC(2026, 2, 29, 22, 30);
const one = (hoursAgo: number, more: Partial<UsageCount> = {}): UsageCount => ({
  userId: 7,
  hour: Date.UTC(2026, 2, 29, 22) - hoursAgo * hourMs,
  kind: 'calls',
  service: 'vault',
  count: 1,
  failed: 0,
  tokens: 10,
  ...more,
});

describe('the periods of a chart', () => {
  it('are the last 24 hours, by the hours of the reader (PAGE-025)', () => {
    const counts = [one(0), one(23, { failed: 1 }), one(24), one(0, { kind: 'deliveries', count: 9 })];
    const { bars, ...sums } = lastHours(counts, 'calls', { timeZone: 'Europe/Berlin', now });
    expect(sums).toEqual({ count: 2, failed: 1, tokens: 20 });
    expect(bars).toHaveLength(24);
    expect([bars[0], bars.at(-1)]).toEqual([
      { label: '00:00', count: 1, failed: 1 },
      { label: '00:00', count: 1, failed: 0 },
    ]);
  });

  it('are the last 30 days of the reader, each once, whatever the clocks do (PAGE-025)', () => {
    const counts = [one(0), one(1), one(24 * 29), one(24 * 31)];
    const { bars, count } = lastDays(counts, 'calls', { timeZone: 'Europe/Berlin', now });
    expect(new Set(bars.map(({ label }) => label)).size).toBe(30);
    expect([bars[0], bars[28], bars.at(-1)]).toEqual([
      { label: '2026-03-01', count: 0, failed: 0 },
      { label: '2026-03-29', count: 1, failed: 0 },
      { label: '2026-03-30', count: 1, failed: 0 },
    ]);
    expect(count).toBe(2);
    expect(lastDays(counts, 'calls', { timeZone: null, now }).bars.at(-1)).toMatchObject({
      label: '2026-03-29',
      count: 2,
    });
  });
});

describe('the parts for which counts are summed up', () => {
  it('are the days of the reader, and the last 24 hours', () => {
    const parts = usageParts({ timeZone: 'Europe/Berlin', now });
    expect(parts).toHaveLength(28 + 24);
    expect(parts.slice(0, 2)).toEqual([Date.UTC(2026, 1, 28, 23), Date.UTC(2026, 2, 1, 23)]);
    expect(parts.slice(28, 30)).toEqual([Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 0)]);
    expect(parts.at(-1)).toBe(Date.UTC(2026, 2, 29, 22));
    expect(parts).toEqual(parts.toSorted((left, right) => left - right));
  });

  it.each([null, 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham'])(
    'show what hours show, in the time zone %s (PAGE-025)',
    (timeZone) => {
      const reader = { timeZone, now };
      const counts = Array.from({ length: 24 * 29 }, (_, hoursAgo) => one(hoursAgo, { count: hoursAgo + 1 }));
      const parts = usageParts(reader);
      const sums = parts.map((from, index) => {
        const until = parts[index + 1] ?? Number.POSITIVE_INFINITY;
        const within = counts.filter(({ hour }) => hour >= from && hour < until);
        return one(0, { hour: from, count: within.reduce((sum, { count }) => sum + count, 0) });
      });
      expect(lastDays(sums, 'calls', reader).bars).toEqual(lastDays(counts, 'calls', reader).bars);
      expect(lastHours(sums, 'calls', reader).bars).toEqual(lastHours(counts, 'calls', reader).bars);
    },
  );
});

describe('a chart', () => {
  it('has bars that reach from the ground to the highest, with what failed on top (PAGE-026)', () => {
    const { bars, height, most } = barChart([
      { label: 'a', count: 0, failed: 0 },
      { label: 'b', count: 1000, failed: 250 },
      { label: 'c', count: 1, failed: 0 },
      { label: 'd', count: 0, failed: 500 },
    ]);
    expect([most, bars[0]?.done, bars[0]?.bad]).toEqual([1000, null, null]);
    expect([bars[1]?.done, bars[1]?.bad]).toEqual([
      { x: 10, y: 25, height: 75 },
      { x: 10, y: 0, height: 25 },
    ]);
    // What is not nothing can be seen.
    expect(bars[2]?.done).toEqual({ x: 20, y: height - 2, height: 2 });
    expect([bars[3]?.done, bars[3]?.bad]).toEqual([null, { x: 30, y: 50, height: 50 }]);
    expect(barChart([{ label: 'a', count: 1, failed: 1 }]).bars[0]?.bad).toEqual({ x: 0, y: 0, height: 100 });
  });
});
