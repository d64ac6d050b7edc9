import { describe, expect, it } from 'vitest';
import { shownAge, shownDuration, shownTime } from '#adapters/http/answers/shown-time.ts';

const at = Date.UTC(2026, 10, 23, 22, 5, 9);
const second = 1_000;
const day = 86_400 * second;

describe('a time on a page', () => {
  it('is shown in the zone of the reader, to the second on hover (ACCT-003)', () => {
    expect(shownTime(at, null)).toEqual({
      text: '2026-11-23 22:05 UTC',
      iso: '2026-11-23T22:05:09.000Z',
      exact: '2026-11-23 22:05:09 UTC',
      age: null,
    });
    expect(shownTime(at, 'Europe/Vienna')).toMatchObject({
      text: '2026-11-23 23:05',
      exact: '2026-11-23 23:05:09 Europe/Vienna',
    });
    expect(shownTime(Date.UTC(2026, 0, 1), 'UTC').text).toBe('2026-01-01 00:00 UTC');
  });

  it.each([
    [0, '0 s ago'],
    [23 * second, '23 s ago'],
    [-5 * second, '0 s ago'],
    [30 * day - 1, '30 days ago'],
  ])('of %i ms ago is shown as its age in a list (ACCT-003)', (age, text) => {
    const shown = shownAge(at - age, { timeZone: 'Asia/Tokyo', now: at });
    expect(shown).toMatchObject({ text, age: Math.max(0, age), exact: expect.stringMatching(/:\d\d Asia\/Tokyo$/) });
  });

  it('of 30 days ago and before is shown as a date and time (ACCT-003)', () => {
    const shown = shownAge(at - 30 * day, { timeZone: null, now: at });
    expect(shown).toMatchObject({ text: '2026-10-24 22:05 UTC', age: null });
  });

  it.each([
    [89 * second, '89 s'],
    [90 * second, '2 min'],
    [89 * 60 * second, '89 min'],
    [90 * 60 * second, '2 h'],
    [47 * 3_600 * second, '47 h'],
    [48 * 3_600 * second, '2 days'],
  ])('shows %i ms in the largest unit only (ACCT-003)', (ms, text) => expect(shownDuration(ms)).toBe(text));
});
