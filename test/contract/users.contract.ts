import { describe, expect, it } from 'vitest';
import type { NewUser, Users } from '#application/ports/users.ts';

const ada: NewUser = {
  email: 'Ada@Example.com',
  passwordHash: '$argon2id$v=19$m=64,t=1,p=1$c2FsdA$aGFzaA',
  permissions: ['vault', 'tracker'],
  isAdmin: true,
};
const bob: NewUser = { ...ada, email: 'bob@example.com', permissions: [], isAdmin: false };

/** What every adapter of the port keeps. `open` gives an empty one. */
export function usersContract(name: string, open: () => Promise<Users>): void {
  describe(`${name} as Users`, () => {
    it('gives the first user id 1, and the next ones the next', async () => {
      const users = await open();
      expect(await users.add(ada)).toEqual({
        ok: true,
        value: {
          id: 1,
          email: 'Ada@Example.com',
          permissions: ['vault', 'tracker'],
          isAdmin: true,
          signedOutBefore: null,
        },
      });
      expect(await users.add(bob)).toMatchObject({ ok: true, value: { id: 2, permissions: [], isAdmin: false } });
      expect((await users.list()).map(({ id }) => id)).toEqual([1, 2]);
    });

    it('finds a user by id, and has null for others', async () => {
      const users = await open();
      await users.add(ada);
      expect(await users.find(1)).toMatchObject({ id: 1, email: 'Ada@Example.com' });
      for (const id of [0, 2, -1, Number.MAX_SAFE_INTEGER]) expect(await users.find(id)).toBeNull();
    });

    it('finds a user by e-mail in any case of letters, with the password hash (USER-001)', async () => {
      const users = await open();
      await users.add(ada);
      for (const email of ['Ada@Example.com', 'ada@example.com', 'ADA@EXAMPLE.COM']) {
        expect(await users.findByEmail(email)).toMatchObject({ user: { id: 1 }, passwordHash: ada.passwordHash });
      }
      expect(await users.findByEmail('ada@example.co')).toBeNull();
      expect(await users.findByEmail('')).toBeNull();
      expect(await users.findByEmail('%')).toBeNull();
    });

    it('refuses a second user with the e-mail in another case (USER-001)', async () => {
      const users = await open();
      await users.add(ada);
      expect(await users.add({ ...bob, email: 'ADA@example.com' })).toEqual({
        ok: false,
        failure: { reason: 'email_taken' },
      });
      expect(await users.list()).toHaveLength(1);
    });

    it('lets one of many add the same e-mail', async () => {
      const users = await open();
      const added = await Promise.all(Array.from({ length: 5 }, () => users.add(ada)));
      expect(added.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it('changes what is given and leaves the rest', async () => {
      const users = await open();
      await users.add(ada);
      expect(await users.change(1, { permissions: ['signing'] })).toBe(true);
      expect(await users.change(1, { signedOutBefore: 1_800_000_000_123 })).toBe(true);
      expect(await users.change(1, { passwordHash: '$argon2id$other' })).toBe(true);
      expect(await users.change(1, { isAdmin: false })).toBe(true);
      expect(await users.findByEmail(ada.email)).toEqual({
        user: {
          id: 1,
          email: 'Ada@Example.com',
          permissions: ['signing'],
          isAdmin: false,
          signedOutBefore: 1_800_000_000_123,
        },
        passwordHash: '$argon2id$other',
      });
    });

    it('is false when there is nobody to change', async () => {
      const users = await open();
      expect(await users.change(7, { permissions: [] })).toBe(false);
    });

    it('shows a change at once', async () => {
      const users = await open();
      await users.add(ada);
      await users.find(1);
      await users.change(1, { permissions: [] });
      expect(await users.find(1)).toMatchObject({ permissions: [] });
    });
  });
}
