import { beforeEach, describe, expect, it } from 'vitest';
import { cachedUsers } from '#adapters/stores/cached-stores.ts';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemorySessions } from '#test/doubles/memory-sessions.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const now = 1_800_000_000_000;
const dayMs = 86_400_000;
const clock = { now: () => now };
let users: MemoryUsers;
let grants: MemoryGrants;
let sessions: MemorySessions;

beforeEach(async () => {
  [users, grants, sessions] = [new MemoryUsers(), new MemoryGrants(), new MemorySessions()];
  await users.add({ email: 'ada@example.com', passwordHash: '', permissions: ['vault'], isAdmin: false });
});

/**
 * A token is `{user id}@{age in ms}`, `{user id}@{age in ms}@{scope}`, `{user id}@{age in ms}@*@{grant}`, or
 * `{user id}@{age in ms}@*@@{session id}` here.
 */
const tokens = {
  seal: async () => '',
  open: async (token: string) => {
    const [userId, ageMs, scope = '*', grantId, sessionId] = token.split('@');
    if (userId === undefined || ageMs === undefined) return null;
    const session = { userId: Number(userId), issuedAt: now - Number(ageMs) };
    if (sessionId !== undefined) return { ...session, sessionId };
    const granted = grantId === undefined ? session : { ...session, grantId };
    return scope === '*' ? granted : { ...granted, scope };
  },
};
const server = { services: serviceKeys, baseUrl: 'http://localhost:3000', formerCookiesUntil: 0 };
const identify = (bearer: string | null, cookie: string | null = null, formerCookiesUntil = 0) =>
  new IdentifyCaller({ tokens, users, grants, sessions, clock }, { ...server, formerCookiesUntil }).run({
    bearer,
    cookie,
  });
const invalid = { ok: false, failure: { reason: 'invalid_session' } };

describe('identifying a caller', () => {
  it('accepts a bearer token or a cookie', async () => {
    const caller = {
      ok: true,
      value: { user: { id: 1, permissions: ['vault'] }, session: { userId: 1, issuedAt: now } },
    };
    expect(await identify('1@0')).toMatchObject(caller);
    expect(await identify(null, '1@0')).toMatchObject(caller);
  });

  it('distinguishes missing from invalid credentials', async () => {
    expect(await identify(null)).toEqual({ ok: false, failure: { reason: 'no_credentials' } });
    expect(await identify('')).toEqual(invalid);
    expect(await identify(null, 'x')).toEqual(invalid);
  });

  it('uses only the bearer if both were sent', async () => {
    expect(await identify('x', '1@0')).toEqual(invalid);
    expect(await identify('1@0', 'x')).toMatchObject({ ok: true });
  });

  it.each([
    ['just under 30 days old', 30 * dayMs - 1, true],
    ['30 days old', 30 * dayMs, false],
    ['from before the clock was set back by less than an hour', -3_599_999, true],
    ['from an hour ahead', -3_600_000, false],
  ])('accepts or refuses a session %s: %s ms, %s (SESS-004, SESS-024)', async (_, ageMs, isOk) => {
    expect((await identify(`1@${ageMs}`)).ok).toBe(isOk);
  });

  it('refuses a deactivated user until they are active again (USER-008)', async () => {
    await users.change(1, { deactivatedAt: now });
    expect(await identify('1@0')).toEqual(invalid);
    expect(await identify(null, '1@0')).toEqual(invalid);
    await users.change(1, { deactivatedAt: null });
    expect((await identify('1@0')).ok).toBe(true);
  });

  it('refuses a deleted user', async () => expect(await identify('2@0')).toEqual(invalid));

  it('ends what was issued before a sign-out, and not what was issued at that moment', async () => {
    await users.change(1, { signedOutBefore: now - 1_000 });
    expect(await identify('1@1001')).toEqual(invalid);
    expect((await identify('1@1000')).ok).toBe(true);
  });

  it('returns the guest, who is in no store and has no permission', async () => {
    expect(await identify('0@0')).toMatchObject({ value: { user: { id: 0, permissions: [], isAdmin: false } } });
  });

  describe('identifying the caller by a restricted access token', () => {
    beforeEach(async () => {
      await users.change(1, { permissions: ['tracker', 'vault'], isAdmin: true });
    });
    const user = async (token: string) => {
      const identified = await identify(token);
      return identified.ok ? identified.value.user : null;
    };

    it.each([
      ['vault', ['vault'], { services: ['tracker'], changes: false }],
      ['tracker:read vault:read', ['tracker', 'vault'], { services: [], changes: true }],
      ['sales_crm', [], { services: ['tracker', 'vault'], changes: false }],
      ['everything', [], { services: ['tracker', 'vault'], changes: true }],
      ['', [], { services: ['tracker', 'vault'], changes: true }],
    ])(
      'leaves the user the permissions in both the token and the account: "%s"',
      async (scope, permissions, withheld) => {
        expect(await user(`1@0@${scope}`)).toMatchObject({ id: 1, permissions, isAdmin: false, withheld });
      },
    );

    it('returns no administrator, but does with another token of the same user', async () => {
      expect(await user('1@0@vault')).toMatchObject({ isAdmin: false });
      expect(await user('1@0')).toEqual({ ...(await users.find(1)), app: { grantId: null, name: null } });
    });

    it('builds the restricted user once for each user of the store and scope', async () => {
      const identifyCaller = new IdentifyCaller({ tokens, users: cachedUsers(users), grants, sessions, clock }, server);
      const userOf = async (bearer: string) => {
        const identified = await identifyCaller.run({ bearer, cookie: null });
        return identified.ok ? identified.value.user : null;
      };
      const first = await userOf('1@0@vault');
      expect(await userOf('1@5@vault')).toBe(first);
      expect(await userOf('1@0@tracker')).toMatchObject({ permissions: ['tracker'] });
      expect(await userOf('1@0@vault')).toBe(first);
    });

    it('follows a permission that is revoked (USER-004)', async () => {
      expect(await user('1@0@vault')).toMatchObject({ permissions: ['vault'] });
      await users.change(1, { permissions: ['tracker'] });
      expect(await user('1@0@vault')).toMatchObject({ permissions: [] });
    });
  });

  describe('identifying the caller by a grant', () => {
    const grant = {
      id: 'g1',
      userId: 1,
      clientId: 'client_1',
      clientName: 'Claude Code',
      scope: '*',
      switchedOff: [],
      since: now,
      ask: null,
      lastUsedAt: null,
    };

    beforeEach(() => grants.keep(grant));

    it('names the app, and records its use (GRANT-002)', async () => {
      const app = { grantId: 'g1', name: 'Claude Code' };
      expect(await identify('1@0@*@g1')).toMatchObject({ ok: true, value: { user: { id: 1, app } } });
      expect(await identify('1@0@vault@g1')).toMatchObject({ ok: true, value: { user: { isAdmin: false, app } } });
      expect((await grants.find('g1'))?.lastUsedAt).toBe(now);
    });

    it('refuses the grant once it is revoked (GRANT-003)', async () => {
      expect((await identify('1@0@*@g1')).ok).toBe(true);
      await grants.remove(1, 'g1');
      expect(await identify('1@0@*@g1')).toEqual(invalid);
    });

    it('accepts the grant only for its own user', async () => {
      await users.add({ email: 'bob@example.com', passwordHash: '', permissions: [], isAdmin: true });
      expect(await identify('2@0@*@g1')).toEqual(invalid);
      expect(await identify('1@0@*@')).toEqual(invalid);
    });

    it('accepts a token from before grants were stored (GRANT-004)', async () => {
      const app = { grantId: null, name: null };
      expect(await identify('1@0')).toMatchObject({ ok: true, value: { by: 'app', user: { app } } });
    });
  });

  describe("identifying the caller by a person's session", () => {
    /** The stored id is the SHA-256 of "s1" as base64url. */
    const session = {
      id: '6LwWPILu4YczKIx9SsY22zpt6wE-8tN7aDIr4g7cRcw',
      userId: 1,
      begunBy: 'login',
      begunAt: now,
      expiresAt: now + dayMs,
      userAgent: null,
    };
    const cookie = '1@0@*@@s1';
    beforeEach(() => sessions.begin(session));

    it('accepts it as a cookie while it is stored, and names no app (SESS-020, SESS-022)', async () => {
      const caller = await identify(null, cookie);
      expect(caller).toMatchObject({ ok: true, value: { by: 'person', user: { id: 1, signedInBy: session.id } } });
      expect(caller.ok && caller.value.user.app).toBeUndefined();
      await sessions.end(1, session.id);
      expect(await identify(null, cookie)).toEqual(invalid);
    });

    it('treats it as an app’s when sent as a bearer token, and ends it with the session, too (SESS-020, SESS-022)', async () => {
      const app = { grantId: null, name: null };
      expect(await identify(cookie)).toMatchObject({ ok: true, value: { by: 'app', user: { app } } });
      await sessions.end(1, session.id);
      expect(await identify(cookie)).toEqual(invalid);
    });

    it('accepts it only for the user of the session, and not after its end', async () => {
      await users.add({ email: 'bob@example.com', passwordHash: '', permissions: [], isAdmin: true });
      expect(await identify(null, '2@0@*@@s1')).toEqual(invalid);
      expect(await identify(null, '1@0@*@@s2')).toEqual(invalid);
      await sessions.begin({ ...session, id: 'rTKIRqoYsyozWBY3RRHKwQY8cEuMV5meUdqfkIKQp6Q', expiresAt: now });
      expect(await identify(null, '1@0@*@@s2')).toEqual(invalid);
    });

    it.each([
      ['that names a grant', '1@0@*@g1'],
      ['with a scope', '1@0@vault'],
      ['from before grants were kept', '1@0'],
    ])('refuses an app’s token that is sent as a cookie: one %s (SESS-020)', async (_, token) => {
      await grants.keep({
        id: 'g1',
        userId: 1,
        clientId: 'client_1',
        clientName: 'Claude Code',
        scope: '*',
        switchedOff: [],
        since: now,
        ask: null,
        lastUsedAt: null,
      });
      expect(await identify(null, token)).toMatchObject({ ok: true, value: { by: 'app' } });
    });

    it('accepts a cookie from before sessions were stored, for a while and only as a cookie (SESS-023)', async () => {
      expect(await identify(null, '1@0', now + 1)).toMatchObject({ ok: true, value: { by: 'person' } });
      expect(await identify(null, '1@0', now)).toMatchObject({ ok: true, value: { by: 'app' } });
      expect(await identify('1@0', null, now + 1)).toMatchObject({ ok: true, value: { by: 'app' } });
      expect(await identify(null, '1@0@vault', now + 1)).toMatchObject({ ok: true, value: { by: 'app' } });
    });

    it('never returns the guest, whose cookie is the guest’s own', async () => {
      expect(await identify(null, '0@0', now + 1)).toMatchObject({ ok: true, value: { by: 'guest' } });
    });
  });
});
