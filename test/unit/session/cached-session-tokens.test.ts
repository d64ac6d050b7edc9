import { beforeEach, describe, expect, it } from 'vitest';
import { CachedSessionTokens } from '#adapters/memory/cached-session-tokens.ts';

let opened: string[];
beforeEach(() => {
  opened = [];
});

const cached = (max?: number) =>
  new CachedSessionTokens(
    {
      seal: async ({ userId }) => `sealed ${userId}`,
      open: async (token) => {
        opened.push(token);
        const id = /^sealed (\d+)$/.exec(token)?.[1];
        return id === undefined ? null : { userId: Number(id), issuedAt: 5 };
      },
    },
    max,
  );

describe('cached session tokens', () => {
  it('are decrypted once', async () => {
    const tokens = cached();
    for (let round = 0; round < 3; round += 1) {
      expect(await tokens.open('sealed 1')).toEqual({ userId: 1, issuedAt: 5 });
    }
    expect(opened).toEqual(['sealed 1']);
  });

  it('are not mixed up', async () => {
    const tokens = cached();
    await tokens.open('sealed 1');
    expect(await tokens.open('sealed 2')).toMatchObject({ userId: 2 });
    expect(await tokens.open('sealed 1 ')).toBeNull();
  });

  it('are not evicted by forged ones, which are checked each time', async () => {
    const tokens = cached(2);
    await tokens.open('sealed 1');
    for (let count = 0; count < 10; count += 1) expect(await tokens.open(`forged ${count % 2}`)).toBeNull();
    await tokens.open('sealed 1');
    expect(opened.filter((token) => token === 'sealed 1')).toHaveLength(1);
    expect(opened).toHaveLength(11);
  });

  it('are bounded: the least recently used is forgotten', async () => {
    const tokens = cached(2);
    for (const token of ['sealed 1', 'sealed 2', 'sealed 1', 'sealed 3', 'sealed 1', 'sealed 2'])
      await tokens.open(token);
    expect(opened).toEqual(['sealed 1', 'sealed 2', 'sealed 3', 'sealed 2']);
  });

  it('are encrypted by the inner implementation', async () =>
    expect(await cached().seal({ userId: 4, issuedAt: 0 })).toBe('sealed 4'));
});
