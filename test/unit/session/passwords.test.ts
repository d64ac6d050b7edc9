import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Argon2Passwords, standardCosts } from '#infrastructure/crypto/argon2-passwords.ts';
import { cheapCosts } from '#test/support/authorization/auth-app.ts';

/** One at a time, which may wait for 5 s by a clock that the test moves. */
const inTurn = { ...cheapCosts, atOnce: 1, maxWaitMs: 5_000 };

/** Lets the work that is under way take so long by that clock, in ms. */
async function taking<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  await nextTurn();
  vi.advanceTimersByTime(ms);
  return work;
}

/** So many turns of microtasks begin all work, and end none, which a thread does. */
async function nextTurn(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
}

describe('passwords', () => {
  const passwords = new Argon2Passwords(cheapCosts);

  it('are hashed with Argon2id and a salt of their own (USER-007)', async () => {
    const [first, second] = [await passwords.hash('pass'), await passwords.hash('pass')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.verify(first, 'pass')).toEqual({ ok: true, value: true });
    expect(await passwords.verify(first, 'Pass')).toEqual({ ok: true, value: false });
  });

  it('cost 19 MiB and two passes by default', async () => {
    expect(standardCosts).toMatchObject({ memoryKib: 19_456, passes: 2 });
    expect(await new Argon2Passwords().hash('pass')).toContain('$m=19456,t=2,p=1$');
  });

  it.each([null, '', 'plain', '$argon2id$broken', '$2b$10$abcdefghijklmnopqrstuv'])(
    'never verify against %j',
    async (hash) => {
      expect(await passwords.verify(hash, 'no user has this password')).toEqual({ ok: true, value: false });
    },
  );

  describe('passwords that wait for others', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['performance'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });
    const isRight = { ok: true, value: true };
    const isBusy = { ok: false, failure: { reason: 'busy', retryAfterS: 6 } };

    it('are refused at once when those before would take too long, and are set all the same (AUTH-033)', async () => {
      const slow = new Argon2Passwords(inTurn);
      const phc = await taking(48_000, slow.hash('pass'));
      const answered: string[] = [];
      const [first, second, set] = await Promise.all([
        slow.verify(phc, 'pass').finally(() => answered.push('first')),
        slow.verify(phc, 'pass').finally(() => answered.push('second')),
        slow.hash('another'),
      ]);
      expect(first).toEqual(isRight);
      expect(second).toEqual(isBusy);
      expect(answered).toEqual(['second', 'first']);
      expect(set).toContain('$argon2id$');
      expect(await slow.verify(phc, 'pass')).toEqual(isRight);
    });

    it('are refused at their turn when those before took too long, of which nothing was known (AUTH-033)', async () => {
      const phc = await passwords.hash('pass');
      const starting = new Argon2Passwords(inTurn);
      const all = Promise.all([1, 2, 3].map(() => starting.verify(phc, 'pass')));
      expect(await taking(6_000, all)).toEqual([isRight, isBusy, isBusy]);
    });

    it('are not refused because the first took long, as while a server starts (AUTH-033)', async () => {
      const phc = await passwords.hash('pass');
      const starting = new Argon2Passwords(inTurn);
      await taking(4_000, starting.verify(phc, 'pass'));
      const verified = await Promise.all([1, 2, 3, 4].map(() => starting.verify(phc, 'pass')));
      expect(verified).toEqual([isRight, isRight, isRight, isRight]);
    });
  });
});
