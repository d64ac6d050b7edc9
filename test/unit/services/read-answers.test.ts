import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allPages } from '#adapters/services/answers/read-answers.ts';
import { succeeded } from '#domain/operations/outcome.ts';

const numbers = Array.from({ length: 7 }, (_, index) => index);

describe('all pages of a list', () => {
  it.each([
    ['are pages as long as was asked for', 3, {}],
    ['are shorter, as they say themselves', 2, { maxResults: 2 }],
  ])('are read without a gap where they %s (JIRA-002)', async (_, length, facts) => {
    const read = async ({ startAt }: Readonly<{ startAt: number }>) => {
      const values = numbers.slice(startAt, startAt + length);
      return succeeded({ values, isLast: startAt + length >= numbers.length, ...facts });
    };
    expect(await allPages(read, z.number(), 3)).toMatchObject({ ok: true, data: numbers });
  });

  it('end at an array that is not full, and are too many after twenty (JIRA-002)', async () => {
    const read = async ({ startAt }: Readonly<{ startAt: number }>) => succeeded(numbers.slice(startAt, startAt + 3));
    expect(await allPages(read, z.number(), 3)).toMatchObject({ ok: true, data: numbers });
    const endless = async () => succeeded({ values: [1], isLast: false, maxResults: 1 });
    expect(await allPages(endless, z.number())).toMatchObject({ ok: false, reason: 'too_large' });
  });
});
