import { expect, it } from 'vitest';
import { Emails } from '#adapters/http/answers/emails.ts';

it('a file asks for each user once, also for one who was deleted (EDGE-022)', async () => {
  const asked: (readonly number[])[] = [];
  const findAll = async (ids: readonly number[]) => {
    asked.push(ids);
    const known = ids.filter((id) => id !== 7);
    return known.map((id) => ({
      id,
      email: `${id}@example.com`,
      permissions: [],
      isAdmin: false,
      signedOutBefore: null,
    }));
  };
  const emails = new Emails({ findAll });
  await emails.with([1, 7, null, 1]);
  const all = await emails.with([7, 1, null, 2]);
  expect(asked).toEqual([[1, 7], [2]]);
  expect([...all]).toEqual([
    [1, '1@example.com'],
    [7, null],
    [2, '2@example.com'],
  ]);
});
