import { expect, it } from 'vitest';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';

it('the in-memory rate limit forgets the least recently used key beyond its maximum, and no other (EDGE-019)', async () => {
  const limits = new MemoryRateLimits({ login: { points: 1, durationS: 900 } }, 3);
  const taken = async (key: string) => (await limits.take('login', key)).ok;
  for (const key of ['a', 'b', 'c']) expect(await taken(key)).toBe(true);
  expect(await taken('a')).toBe(false);
  expect(await taken('d')).toBe(true);
  expect(await taken('a')).toBe(false);
  expect(await taken('c')).toBe(false);
  expect(await taken('b')).toBe(true);
});
