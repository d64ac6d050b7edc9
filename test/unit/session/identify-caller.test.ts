import { beforeEach, describe, expect, it } from 'vitest';
import { IdentifyCaller } from '#application/session/identify-caller.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const now = 1_800_000_000_000;
const dayMs = 86_400_000;
const clock = { now: () => now };
let users: MemoryUsers;
let grants: MemoryGrants;

beforeEach(async () => {
  [users, grants] = [new MemoryUsers(), new MemoryGrants()];
  await users.add({ email: 'ada@example.com', passwordHash: '', permissions: ['vault'], isAdmin: false });
});

/** A token is `{user id}@{age in ms}`, `{user id}@{age in ms}@{scope}`, or `{user id}@{age in ms}@*@{grant}` here. */
const tokens = {
  seal: async () => '',
  open: async (token: string) => {
    const [userId, ageMs, scope = '*', grantId] = token.split('@');
    if (userId === undefined || ageMs === undefined) return null;
    const session = { userId: Number(userId), issuedAt: now - Number(ageMs) };
    const granted = grantId === undefined ? session : { ...session, grantId };
    return scope === '*' ? granted : { ...granted, scope };
  },
};
const identify = (bearer: string | null, cookie: string | null = null) =>
  new IdentifyCaller({ tokens, users, grants, clock }, { services: serviceKeys, baseUrl: 'http://localhost:3000' }).run(
    { bearer, cookie },
  );
const invalid = { ok: false, failure: { reason: 'invalid_session' } };

describe('identifying a caller', () => {
  it('takes bearer or cookie', async () => {
    const caller = {
      ok: true,
      value: { user: { id: 1, permissions: ['vault'] }, session: { userId: 1, issuedAt: now } },
    };
    expect(await identify('1@0')).toMatchObject(caller);
    expect(await identify(null, '1@0')).toMatchObject(caller);
  });

  it('tells nothing from something that does not count', async () => {
    expect(await identify(null)).toEqual({ ok: false, failure: { reason: 'no_credentials' } });
    expect(await identify('')).toEqual(invalid);
    expect(await identify(null, 'x')).toEqual(invalid);
  });

  it('looks at the bearer alone when both came', async () => {
    expect(await identify('x', '1@0')).toEqual(invalid);
    expect(await identify('1@0', 'x')).toMatchObject({ ok: true });
  });

  it.each([
    ['just under 30 days old', 30 * dayMs - 1, true],
    ['30 days old', 30 * dayMs, false],
    ['from a clock that is a little ahead', -59_999, true],
    ['from the future', -60_000, false],
  ])('a session %s: %s ms, %s (SESS-004)', async (_, ageMs, isOk) => {
    expect((await identify(`1@${ageMs}`)).ok).toBe(isOk);
  });

  it('knows no user who is deactivated, until they are active again (USER-008)', async () => {
    await users.change(1, { deactivatedAt: now });
    expect(await identify('1@0')).toEqual(invalid);
    expect(await identify(null, '1@0')).toEqual(invalid);
    await users.change(1, { deactivatedAt: null });
    expect((await identify('1@0')).ok).toBe(true);
  });

  it('knows no user who is gone', async () => expect(await identify('2@0')).toEqual(invalid));

  it('ends what was issued before a sign-out, and not what was issued at it', async () => {
    await users.change(1, { signedOutBefore: now - 1_000 });
    expect(await identify('1@1001')).toEqual(invalid);
    expect((await identify('1@1000')).ok).toBe(true);
  });

  it('has the guest in no store, with no permission', async () => {
    expect(await identify('0@0')).toMatchObject({ value: { user: { id: 0, permissions: [], isAdmin: false } } });
  });

  describe('by an access token that does not mean everything', () => {
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
    ])('leaves of the user what it says and they are permitted: "%s"', async (scope, permissions, withheld) => {
      expect(await user(`1@0@${scope}`)).toMatchObject({ id: 1, permissions, isAdmin: false, withheld });
    });

    it('has no administrator, and by another token of the same user has one', async () => {
      expect(await user('1@0@vault')).toMatchObject({ isAdmin: false });
      expect(await user('1@0')).toEqual({ ...(await users.find(1)), app: { grantId: null, name: null } });
    });

    it('makes the limited user once for each user of the store and scope', async () => {
      const identifyCaller = new IdentifyCaller(
        { tokens, users, grants, clock },
        { services: serviceKeys, baseUrl: 'http://localhost:3000' },
      );
      const userOf = async (bearer: string) => {
        const identified = await identifyCaller.run({ bearer, cookie: null });
        return identified.ok ? identified.value.user : null;
      };
      const first = await userOf('1@0@vault');
      expect(await userOf('1@5@vault')).toBe(first);
      expect(await userOf('1@0@tracker')).toMatchObject({ permissions: ['tracker'] });
      expect(await userOf('1@0@vault')).toBe(first);
    });

    it('follows a permission that is taken back (USER-004)', async () => {
      expect(await user('1@0@vault')).toMatchObject({ permissions: ['vault'] });
      await users.change(1, { permissions: ['tracker'] });
      expect(await user('1@0@vault')).toMatchObject({ permissions: [] });
    });
  });

  describe('of a grant', () => {
    const grant = {
      id: 'g1',
      userId: 1,
      clientId: 'client_1',
      clientName: 'Claude Code',
      services: null,
      isReadonly: false,
      since: now,
      lastUsedAt: null,
    };

    beforeEach(() => grants.keep(grant));

    it('names the app, and records its use (GRANT-002)', async () => {
      const app = { grantId: 'g1', name: 'Claude Code' };
      expect(await identify('1@0@*@g1')).toMatchObject({ ok: true, value: { user: { id: 1, app } } });
      expect(await identify('1@0@vault@g1')).toMatchObject({ ok: true, value: { user: { isAdmin: false, app } } });
      expect((await grants.find('g1'))?.lastUsedAt).toBe(now);
    });

    it('counts no longer once the grant is revoked (GRANT-003)', async () => {
      expect((await identify('1@0@*@g1')).ok).toBe(true);
      await grants.remove(1, 'g1');
      expect(await identify('1@0@*@g1')).toEqual(invalid);
    });

    it('counts for the user of the grant alone', async () => {
      await users.add({ email: 'bob@example.com', passwordHash: '', permissions: [], isAdmin: true });
      expect(await identify('2@0@*@g1')).toEqual(invalid);
      expect(await identify('1@0@*@')).toEqual(invalid);
    });

    it('is not needed by a token from before grants were kept, and by no cookie (GRANT-004)', async () => {
      expect(await identify('1@0')).toMatchObject({
        ok: true,
        value: { user: { app: { grantId: null, name: null } } },
      });
      const browser = await identify(null, '1@0');
      expect(browser.ok && browser.value.user.app).toBeUndefined();
    });
  });
});
