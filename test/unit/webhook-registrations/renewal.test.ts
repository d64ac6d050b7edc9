import { describe, expect, it } from 'vitest';
import {
  isPutOff,
  isRegistrationDue,
  registrationRetryMs,
  renewalAt,
  secondsToExpiry,
} from '#domain/webhook-registrations/renewal.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = 1_769_172_700_000;
const week = { registeredAt: at, expiresAt: at + 7 * day };

describe('a channel of seven days', () => {
  it('is renewed at 70 % of its lifetime: after 4 days, 21 hours and 36 minutes', () => {
    expect(renewalAt(week)).toBe(at + 4 * day + 21.6 * hour);
  });

  it.each([
    ['at once', 0, false],
    ['after four days', 4 * day, false],
    ['a moment before 70 %', 0.7 * 7 * day - 1, false],
    ['at 70 %', 0.7 * 7 * day, true],
    ['on its last day', 6.9 * day, true],
    ['when it is over', 7 * day, true],
    ['long after', 30 * day, true],
  ])('is due as expected %s', (_, passed, isDue) => {
    expect(isRegistrationDue(week, at + passed)).toBe(isDue);
  });

  it('is renewed at 70 % of its own lifetime if that is shorter', () => {
    const short = { registeredAt: at, expiresAt: at + hour };
    expect(isRegistrationDue(short, at + 41 * 60_000)).toBe(false);
    expect(isRegistrationDue(short, at + 42 * 60_000)).toBe(true);
  });

  it('is due at once when the clock was set back behind its registration; a small difference is tolerated', () => {
    expect(isRegistrationDue(week, at - 5 * 60_000)).toBe(false);
    expect(isRegistrationDue(week, at - 5 * 60_000 - 1)).toBe(true);
  });

  it('is assumed to live seven days if its registration is unknown', () => {
    const taken = { registeredAt: null, expiresAt: at + 2 * day };
    expect(isRegistrationDue(taken, at)).toBe(true);
    expect(isRegistrationDue({ registeredAt: null, expiresAt: at + 3 * day }, at)).toBe(false);
  });

  it('reports how many seconds it has left, never fewer than none', () => {
    expect(secondsToExpiry(week, at + 6 * day)).toBe(86_400);
    expect(secondsToExpiry(week, at + 8 * day)).toBe(0);
  });
});

describe('a webhook without an expiry', () => {
  it('is never due, and has no seconds left to count', () => {
    const endless = { registeredAt: at, expiresAt: null };
    expect(renewalAt(endless)).toBeNull();
    expect(isRegistrationDue(endless, at + 1000 * day)).toBe(false);
    expect(secondsToExpiry(endless, at)).toBeNull();
  });
});

describe('a renewal after failures in a row', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 8],
    [5, 15],
    [50, 15],
  ])('waits after number %d: %d minutes', (failures, minutes) => {
    expect(registrationRetryMs(failures)).toBe(minutes * 60_000);
  });

  it('waits longer if the provider asks for it, at most an hour', () => {
    expect(registrationRetryMs(1, 10 * 60_000)).toBe(10 * 60_000);
    expect(registrationRetryMs(1, 5_000)).toBe(60_000);
    expect(registrationRetryMs(1, day)).toBe(hour);
  });
});

it.each([
  ['nothing failed', null, false],
  ['its time is now', at, false],
  ['it is a moment ahead', at + 1, true],
  ['it is an hour ahead, as long as it can be put off', at + hour, true],
  ['it is further ahead, by a clock that was set back since', at + hour + 1, false],
])('a registration waits before it tries again, as expected when %s', (_, retryAt, isWaiting) => {
  expect(isPutOff(retryAt, at)).toBe(isWaiting);
});
