import { describe, expect, it } from 'vitest';
import { Argon2Passwords, standardCosts } from '#infrastructure/crypto/argon2-passwords.ts';
import { cheapCosts } from '#test/support/authorization/auth-app.ts';

/** A hash takes many times as long as one may wait. */
const slowCosts = { memoryKib: 19_456, passes: 32, atOnce: 1, maxWaitMs: 20 };

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

  it('are refused at once when those before would take too long, and are set all the same (AUTH-033)', async () => {
    const impatient = new Argon2Passwords(slowCosts);
    const phc = await impatient.hash('pass');
    const answered: string[] = [];
    const [first, second, set] = await Promise.all([
      impatient.verify(phc, 'pass').finally(() => answered.push('first')),
      impatient.verify(phc, 'pass').finally(() => answered.push('second')),
      impatient.hash('another'),
    ]);
    expect(first).toEqual({ ok: true, value: true });
    expect(second).toMatchObject({ ok: false, failure: { reason: 'busy' } });
    expect(answered).toEqual(['second', 'first']);
    expect(set).toContain('$argon2id$');
    expect(await impatient.verify(phc, 'pass')).toEqual({ ok: true, value: true });
  });

  it('are refused at their turn when those before took too long, of which nothing was known (AUTH-033)', async () => {
    const phc = await new Argon2Passwords(slowCosts).hash('pass');
    const starting = new Argon2Passwords(slowCosts);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => starting.verify(phc, 'pass')));
    expect(first).toEqual({ ok: true, value: true });
    for (const refused of [second, third]) expect(refused).toMatchObject({ ok: false, failure: { reason: 'busy' } });
  });

  it('are not refused because the first took long, as while a server starts (AUTH-033)', async () => {
    const costly = await new Argon2Passwords({ ...cheapCosts, memoryKib: 19_456, passes: 8 }).hash('pass');
    const begunAt = performance.now();
    await new Argon2Passwords(cheapCosts).verify(costly, 'pass');
    const maxWaitMs = performance.now() - begunAt;
    const starting = new Argon2Passwords({ ...cheapCosts, atOnce: 1, maxWaitMs });
    const phc = await passwords.hash('pass');
    await starting.verify(costly, 'pass');
    const verified = await Promise.all([1, 2, 3, 4].map(() => starting.verify(phc, 'pass')));
    expect(verified).toEqual([1, 2, 3, 4].map(() => ({ ok: true, value: true })));
  });
});
