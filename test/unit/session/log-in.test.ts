import { describe, expect, it } from 'vitest';
import { BeginSession } from '#application/session/begin-session.ts';
import { LogIn } from '#application/session/log-in.ts';
import { rateLimitRules } from '#domain/limits/rate-limit-rules.ts';
import { err, ok } from '#domain/shared/result.ts';
import { MemoryRateLimits } from '#infrastructure/limits/memory-rate-limits.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';

const address = '198.51.100.1';
/** The SHA-256 of '18 random bytes' as base64url. */
const storedId = 'yeQsS4ngxXI00QmlmkUNZoNlNo6_-zPj73kON0SSWNA';
const right = {
  email: 'ada@example.com',
  password: 'right',
  address,
  userAgent: 'Browser/1 (é\u202e)',
  knownBrowser: null,
};

async function open() {
  const busy = { now: false };
  const [users, sessions] = [new MemoryUsers(), new MemorySessions()];
  await users.add({ email: 'ada@example.com', passwordHash: 'hash of right', permissions: [], isAdmin: false });
  const verified: (string | null)[] = [];
  const logIn = new LogIn({
    users,
    passwords: {
      hash: async (password) => `hash of ${password}`,
      verify: async (hash, password) => {
        if (busy.now) return err({ reason: 'busy', retryAfterS: 6 });
        verified.push(hash);
        return ok(hash === `hash of ${password}`);
      },
    },
    limits: new MemoryRateLimits(rateLimitRules),
    beginSession: new BeginSession({
      sessions,
      tokens: { seal: async ({ userId }) => `sealed ${userId}` },
      random: { token: (bytes) => `${bytes} random bytes` },
      clock: { now: () => 1_000 },
      audience: null,
    }),
  });
  return { logIn, verified, users, sessions, busy };
}

describe('logging in', () => {
  it('begins a session at the current time, encrypted, stored by a digest of its id (SESS-022)', async () => {
    const { logIn, sessions } = await open();
    const signedIn = await logIn.run(right);
    expect(signedIn).toMatchObject({
      ok: true,
      value: {
        user: { id: 1, signedInBy: storedId },
        session: { userId: 1, issuedAt: 1_000, sessionId: '18 random bytes' },
        by: 'person',
        token: 'sealed 1',
      },
    });
    expect(await sessions.list(1)).toEqual([
      {
        id: storedId,
        userId: 1,
        begunBy: 'login',
        begunAt: 1_000,
        expiresAt: 2_592_001_000,
        userAgent: 'Browser/1 ()',
      },
    ]);
  });

  it('begins no session before the user’s last sign-out everywhere, even if the clock was set back (SESS-024)', async () => {
    const { logIn, users, sessions } = await open();
    await users.change(1, { signedOutBefore: 60_000 });
    expect(await logIn.run(right)).toMatchObject({ ok: true, value: { session: { issuedAt: 60_000 } } });
    expect(await sessions.list(1)).toMatchObject([{ begunAt: 60_000 }]);
  });

  it('does the work of a verification for an unknown e-mail, too', async () => {
    const { logIn, verified } = await open();
    const unknown = await logIn.run({ ...right, email: 'nobody@example.com' });
    const wrong = await logIn.run({ ...right, password: 'wrong' });
    expect(unknown).toEqual({ ok: false, failure: { reason: 'invalid_credentials' } });
    expect(wrong).toEqual(unknown);
    expect(verified).toEqual([null, 'hash of right']);
  });

  it('does the work of a wrong password for a deactivated user, with the same answer (USER-008)', async () => {
    const { logIn, verified, users } = await open();
    await users.change(1, { deactivatedAt: 1_000 });
    expect(await logIn.run(right)).toEqual({ ok: false, failure: { reason: 'invalid_credentials' } });
    expect(verified).toEqual(['hash of right']);
  });

  it('refuses overlong input before it costs anything', async () => {
    const { logIn, verified } = await open();
    expect((await logIn.run({ ...right, password: 'x'.repeat(1_025) })).ok).toBe(false);
    expect((await logIn.run({ ...right, email: `${'x'.repeat(251)}@a.b` })).ok).toBe(false);
    expect(verified).toEqual([]);
  });

  it('stops after 10 failures for an e-mail and address, and a success restarts the count', async () => {
    const { logIn } = await open();
    for (let count = 0; count < 9; count += 1) await logIn.run({ ...right, password: 'wrong' });
    expect((await logIn.run(right)).ok).toBe(true);
    for (let count = 0; count < 10; count += 1) await logIn.run({ ...right, password: 'wrong' });
    expect(await logIn.run({ ...right, email: 'ADA@example.com' })).toMatchObject({
      ok: false,
      failure: { reason: 'rate_limited', retryAfterS: expect.any(Number) },
    });
    expect((await logIn.run({ ...right, address: '198.51.100.2' })).ok).toBe(true);
  });

  it('counts no failure while too many others wait, and says when to try again (AUTH-033)', async () => {
    const { logIn, busy } = await open();
    busy.now = true;
    const refused = { ok: false, failure: { reason: 'busy', retryAfterS: 6 } };
    for (let count = 0; count < 101; count += 1) expect(await logIn.run(right)).toEqual(refused);
    busy.now = false;
    for (let count = 0; count < 10; count += 1) {
      expect(await logIn.run({ ...right, password: 'wrong' })).toMatchObject({
        failure: { reason: 'invalid_credentials' },
      });
    }
    expect(await logIn.run(right)).toMatchObject({ failure: { reason: 'rate_limited' } });
  });

  describe('logging in after 100 failures in a day for an e-mail, from 100 addresses', () => {
    const failing = async (knownBrowser: string | null) => {
      const opened = await open();
      for (let count = 0; count < 100; count += 1) {
        const address = `203.0.113.${count}`;
        expect(await opened.logIn.run({ ...right, password: 'wrong', address, knownBrowser })).toMatchObject({
          failure: { reason: 'invalid_credentials' },
        });
      }
      return opened.logIn;
    };
    const limited = { ok: false, failure: { reason: 'rate_limited', retryAfterS: expect.any(Number) } };

    it('stops browsers in which the user never signed in, and admits those in which they did (AUTH-032)', async () => {
      const logIn = await failing(null);
      expect(await logIn.run(right)).toMatchObject(limited);
      expect(await logIn.run({ ...right, email: 'ADA@example.com ' })).toMatchObject(limited);
      expect(await logIn.run({ ...right, knownBrowser: 'hers' })).toMatchObject({ ok: true });
    });

    it('stops a known browser in which the failures occurred, and no other (AUTH-032)', async () => {
      const logIn = await failing('stolen');
      expect(await logIn.run({ ...right, knownBrowser: 'stolen' })).toMatchObject(limited);
      expect(await logIn.run({ ...right, knownBrowser: 'hers' })).toMatchObject({ ok: true });
      expect(await logIn.run(right)).toMatchObject({ ok: true });
    });

    it('answers the same for an e-mail that no user has (AUTH-032, AUTH-005)', async () => {
      const { logIn } = await open();
      const email = 'nobody@example.com';
      for (let count = 0; count < 100; count += 1) await logIn.run({ ...right, email, address: `203.0.113.${count}` });
      expect(await logIn.run({ ...right, email })).toMatchObject(limited);
    });
  });

  it('does not count successes against the address', async () => {
    const { logIn } = await open();
    for (let count = 0; count < 150; count += 1) expect((await logIn.run(right)).ok).toBe(true);
  });
});
