import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MikroOrmUsers } from '#adapters/persistence/mikro-orm-users.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

let opened: TestDatabase;
let users: MikroOrmUsers;

beforeEach(async () => {
  opened = await openTestSqlite();
  users = new MikroOrmUsers(opened.database);
});
afterEach(() => opened.close());

const ann = {
  email: 'Ann@Example.com',
  passwordHash: '$argon2id$1',
  permissions: ['vault', 'tracker'],
  isAdmin: true,
} as const;

describe('users in the database', () => {
  it('have ids from 1, and are returned as they were added', async () => {
    const user = {
      id: 1,
      email: 'Ann@Example.com',
      permissions: ['vault', 'tracker'],
      isAdmin: true,
      signedOutBefore: null,
    };
    expect(await users.add(ann)).toEqual({ ok: true, value: user });
    expect(await users.add({ ...ann, email: 'bea@example.com', isAdmin: false })).toMatchObject({ value: { id: 2 } });
    expect(await users.find(1)).toEqual(user);
    expect(await users.find(3)).toBeNull();
    expect((await users.list()).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('are found by e-mail in any case of letters, with their password', async () => {
    await users.add(ann);
    expect(await users.findByEmail('aNN@example.COM')).toMatchObject({ user: { id: 1 }, passwordHash: '$argon2id$1' });
    expect(await users.findByEmail('ann@example.org')).toBeNull();
  });

  it('have unique e-mails, regardless of case', async () => {
    await users.add(ann);
    const taken = { ok: false, failure: { reason: 'email_taken' } };
    expect(await users.add({ ...ann, email: 'ANN@EXAMPLE.COM' })).toEqual(taken);
    expect(await users.list()).toHaveLength(1);
  });

  it('change only in the members that are given', async () => {
    await users.add(ann);
    expect(await users.change(1, { permissions: ['signing'], signedOutBefore: 1_769_172_798_123 })).toBe(true);
    expect(await users.findByEmail('ann@example.com')).toMatchObject({
      user: { permissions: ['signing'], signedOutBefore: 1_769_172_798_123, isAdmin: true },
      passwordHash: '$argon2id$1',
    });
    expect(await users.change(1, {})).toBe(true);
    expect(await users.change(2, { passwordHash: 'x' })).toBe(false);
    expect(await users.change(2, {})).toBe(false);
  });
});
