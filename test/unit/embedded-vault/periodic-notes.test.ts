import { describe, expect, it } from 'vitest';
import { findPeriod, readDay, usualPeriodicPath } from '#domain/notes/periodic-notes.ts';
import { localDay } from '#domain/notes/week-of-year.ts';

describe('the name of a periodic note', () => {
  it.each([
    ['daily', 2026, 1, 5, 'Daily/2026-01-05.md'],
    ['monthly', 2026, 1, 5, 'Monthly/2026-01.md'],
    ['quarterly', 2026, 3, 31, 'Quarterly/2026-Q1.md'],
    ['quarterly', 2026, 4, 1, 'Quarterly/2026-Q2.md'],
    ['quarterly', 2026, 12, 31, 'Quarterly/2026-Q4.md'],
    ['yearly', 2026, 12, 31, 'Yearly/2026.md'],
    ['daily', 7, 1, 1, 'Daily/0007-01-01.md'],
  ] as const)('is %s for %i-%i-%i', (period, year, month, day, path) => {
    expect(usualPeriodicPath(period, { year, month, day }, 'sunday')).toBe(path);
  });

  // As moment's format('gggg-[W]ww') in its locale `en` has them.
  it.each([
    [2026, 1, 1, '2026-W01'],
    [2026, 1, 3, '2026-W01'],
    [2026, 1, 4, '2026-W02'],
    [2025, 12, 27, '2025-W52'],
    [2025, 12, 28, '2026-W01'],
    [2024, 12, 28, '2024-W52'],
    [2024, 12, 29, '2025-W01'],
    [2023, 1, 1, '2023-W01'],
    [2022, 12, 31, '2022-W53'],
    [2024, 2, 29, '2024-W09'],
  ])('of the week of %i-%i-%i is %s', (year, month, day, name) => {
    expect(usualPeriodicPath('weekly', { year, month, day }, 'sunday')).toBe(`Weekly/${name}.md`);
  });
});

// As ISO 8601 has them, at the turns of years of 52 and 53 weeks.
it.each([
  [2026, 1, 1, '2026-W01'],
  [2025, 12, 28, '2025-W52'],
  [2025, 12, 29, '2026-W01'],
  [2024, 12, 30, '2025-W01'],
  [2023, 1, 1, '2022-W52'],
  [2021, 1, 3, '2020-W53'],
  [2021, 1, 4, '2021-W01'],
  [2027, 1, 1, '2026-W53'],
])('of the ISO week of %i-%i-%i is %s', (year, month, day, name) => {
  expect(usualPeriodicPath('weekly', { year, month, day }, 'iso')).toBe(`Weekly/${name}.md`);
});

it('requires a day of the calendar', () => {
  expect(readDay('2024', '02', '29')).toEqual({ year: 2024, month: 2, day: 29 });
  for (const [year, month, day] of [
    ['2023', '2', '29'],
    ['2024', '13', '1'],
    ['2024', '1', '0'],
    ['0', '1', '1'],
    ['-1', '1', '1'],
    ['2024', '1', '1.5'],
    ['', '', ''],
  ]) {
    expect(readDay(year ?? '', month ?? '', day ?? ''), `${year}-${month}-${day}`).toBeNull();
  }
});

it('uses the day of the machine’s time zone', () => {
  expect(localDay(new Date(2026, 10, 21, 0, 1).getTime())).toEqual({ year: 2026, month: 11, day: 21 });
});

it('exists for five periods, and no others', () => {
  expect(['daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'hourly', 'constructor'].map(findPeriod)).toEqual([
    'daily',
    'weekly',
    'monthly',
    'quarterly',
    'yearly',
    null,
    null,
  ]);
});
