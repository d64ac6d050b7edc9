import { describe, expect, it } from 'vitest';
import { cachedSessions } from '#adapters/stores/cached-stores.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';

const session = { id: 's1', userId: 1, begunBy: 'login', begunAt: 1, expiresAt: 2, userAgent: null };

function open() {
  const stored = new MemorySessions();
  const reads: string[] = [];
  const find = stored.find.bind(stored);
  stored.find = (id) => {
    reads.push(id);
    return find(id);
  };
  const ended: number[] = [];
  const sessions = cachedSessions(stored, { ttlMs: 60_000, onChange: (userId) => void ended.push(userId) });
  return { stored, sessions, reads, ended };
}

describe('cached sessions', () => {
  it('are read once, whether they exist or not (SESS-022)', async () => {
    const { sessions, reads } = open();
    await sessions.begin(session);
    for (const _ of [1, 2, 3]) {
      expect(await sessions.find('s1')).toEqual(session);
      expect(await sessions.find('none')).toBeNull();
    }
    expect(reads).toEqual(['s1', 'none']);
  });

  it('end at once where they are ended, which is published if they existed (SESS-025)', async () => {
    const { sessions, ended } = open();
    await sessions.begin(session);
    await sessions.begin({ ...session, id: 's2' });
    await Promise.all([sessions.find('s1'), sessions.find('s2')]);
    expect([await sessions.end(2, 's1'), ended]).toEqual([false, []]);
    expect(await sessions.end(1, 's1')).toBe(true);
    expect(await sessions.find('s1')).toBeNull();
    expect(await sessions.endAll(1)).toBe(1);
    expect(await sessions.find('s2')).toBeNull();
    expect(await sessions.endAll(1)).toBe(0);
    expect(ended).toEqual([1, 1]);
  });

  it('are read again when their user changed elsewhere, and no other user’s are', async () => {
    const { stored, sessions, reads } = open();
    await sessions.begin(session);
    await sessions.begin({ ...session, id: 'other', userId: 2 });
    await Promise.all([sessions.find('s1'), sessions.find('other')]);
    await stored.end(1, 's1');
    sessions.forgetUser(1);
    expect([await sessions.find('s1'), await sessions.find('other')]).toMatchObject([null, { userId: 2 }]);
    expect(reads).toEqual(['s1', 'other', 's1']);
  });
});
