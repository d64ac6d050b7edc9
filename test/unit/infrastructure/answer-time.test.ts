import { describe, expect, it } from 'vitest';
import { AnswerTime } from '#infrastructure/database/answer-time.ts';

describe('how long an answer of PostgreSQL is waited for', () => {
  it('is as usual while answers come quickly', () => {
    const time = new AnswerTime();
    for (let count = 0; count < 9; count += 1) time.took(40);
    expect([time.wait(5_000), time.wait(3_000), time.wait(0)]).toEqual([5_000, 3_000, 0]);
  });

  it('is longer while they come late, within a bound, and as usual again later (INBOX-027)', () => {
    const time = new AnswerTime();
    time.took(2_000);
    expect([time.wait(5_000), time.wait(3_000)]).toEqual([8_000, 8_000]);
    time.took(20_000);
    expect(time.wait(5_000)).toBe(30_000);
    for (let count = 0; count < 200; count += 1) time.took(40);
    expect(time.wait(5_000)).toBe(5_000);
    expect(time.wait(60_000)).toBe(60_000);
  });
});
